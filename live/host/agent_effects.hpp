// What an agent does to the world: runs, blocks, map outputs; and what it hears from there.
#pragma once

#include "live/host/traced.hpp"
#include "live/store/data_server.hpp"
#include "proffer/agent/agent.hpp"
#include "proffer/live/executor.hpp"

namespace proffer::live {

/// In the loop before the host, so that what happened is told to the machine in the same turn.
class AgentEffects final : public TracedEffects, public LoopPart {
 public:
  /// All must outlive it.
  AgentEffects(const Agent& agent, Executor& executor, DataServer& data)
      : agent_(agent), executor_(executor), data_(data) {}
  /// Before the first turn.
  void set_host(Host& host) { host_ = &host; }
  /// The catalog has taken its report; or there is none to take it.
  bool known_to_catalog() const { return known_to_catalog_; }

  void on_arrival(PeerId from, const Envelope& envelope) override;
  void carry_out(const Action& action) override;
  void want(Wishes& wishes) override;
  void turn(const Readiness& ready, Time now) override;

 private:
  const Agent& agent_;
  Executor& executor_;
  DataServer& data_;
  Host* host_ = nullptr;
  bool known_to_catalog_ = false;
};

}  // namespace proffer::live
