// The request that a loop ends in good order: from another thread, or by SIGTERM and SIGINT.
#pragma once

#include <atomic>
#include <memory>

#include "proffer/time.hpp"

namespace proffer::live {

class EventFd;

class Stop {
 public:
  Stop();
  ~Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  /// Requests the stop; from any thread; idempotent.
  void request();
  bool requested() const { return requested_.load(); }
  /// Waits for the request, so long at most.
  void wait(Duration at_most) const;
  /// Readable from the request on.
  int fd() const;

  /// Makes SIGTERM and SIGINT of this process request it from now on, and SIGPIPE harmless. Only one Stop a
  /// process may do so. Uses handlers, since blocked or ignored signals would stay so in every program that
  /// is started.
  void on_signals();

 private:
  std::atomic<bool> requested_{false};
  std::unique_ptr<EventFd> event_;
};

}  // namespace proffer::live
