// What an agent does to the world: runs, blocks, map outputs; and what it hears from there.
#pragma once

#include <string>

#include "live/host/traced.hpp"
#include "proffer/live/daemons.hpp"
#include "proffer/live/data_server.hpp"
#include "proffer/live/executor.hpp"

namespace proffer::live {

class AgentEffects final : public TracedEffects, public LoopPart {
 public:
  /// All must outlive it.
  AgentEffects(Executor& executor, DataServer& data, Loop& loop, std::string ready_line, const Ready& ready)
      : executor_(executor), data_(data), loop_(loop), line_(std::move(ready_line)), ready_(ready) {}
  /// Before the first turn.
  void set_host(Host& host) { host_ = &host; }

  void on_arrival(PeerId from, const Envelope& envelope) override;
  void carry_out(const Action& action) override;
  void want(Wishes& wishes) override;
  void turn(const Readiness& ready, Time now) override;

 private:
  void registered(const Registered& message);
  void refused(const Error& error);
  void say_ready();

  Executor& executor_;
  DataServer& data_;
  Loop& loop_;
  Host* host_ = nullptr;
  std::string line_;
  const Ready& ready_;
  bool registered_ = false;
  bool said_ready_ = false;
  std::string told_;  // the newest refusal that was logged
  std::optional<Time> refused_since_;
};

}  // namespace proffer::live
