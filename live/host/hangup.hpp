// SIGHUP, as other daemons take it: read your configuration again.
#pragma once

#include <functional>

#include "proffer/live/loop.hpp"

namespace proffer::live {

class Hangup final : public LoopPart {
 public:
  /// `heard` is called in the loop, once however many signals came since the last turn. One a process.
  explicit Hangup(std::function<void()> heard);
  ~Hangup() override;
  Hangup(const Hangup&) = delete;
  Hangup& operator=(const Hangup&) = delete;

  void want(Wishes& wishes) override { wishes.fd(fd_); }
  void turn(const Readiness& ready, Time now) override;

 private:
  int fd_;
  std::function<void()> heard_;
};

}  // namespace proffer::live
