// Watches an agent come up: says when it is ready, and ends it when its allocator will not have it.
#pragma once

#include <string>

#include "live/host/agent_effects.hpp"
#include "proffer/live/daemons.hpp"

namespace proffer::live {

/// Belongs into the loop after the host: otherwise it looks at the agent before this turn's messages were
/// read.
class AgentWatch final : public LoopPart {
 public:
  /// The arguments other than `ready_line` must outlive this object.
  AgentWatch(const Agent& agent, const AgentEffects& effects, Loop& loop, std::string ready_line,
             const Ready& ready)
      : agent_(agent), effects_(effects), loop_(loop), line_(std::move(ready_line)), ready_(ready) {}

  void prepare(PollSet& polled) override;
  void turn(const Readiness& ready, Time now) override;

 private:
  void refused(const Error& error, Time now);

  const Agent& agent_;
  const AgentEffects& effects_;
  Loop& loop_;
  std::string line_;
  const Ready& ready_;
  bool was_taken_ = false;
  bool announced_ = false;
  std::string logged_;  // the newest refusal that was logged
  std::optional<Time> refused_since_;
};

}  // namespace proffer::live
