// An agent's effects on the world (runs, blocks, map outputs), and the events that come from there.
#pragma once

#include "live/host/keeping.hpp"
#include "live/store/data_server.hpp"
#include "proffer/agent/agent.hpp"
#include "proffer/live/executor.hpp"

namespace proffer::live {

/// Belongs into the loop before the host: events of a turn then reach the machine in the same turn, and not
/// after the next wait.
class AgentEffects final : public KeepingEffects, public LoopPart {
 public:
  /// `agent`, `executor` and `data` must outlive this object.
  AgentEffects(const Agent& agent, Executor& executor, DataServer& data)
      : agent_(agent), executor_(executor), data_(data) {}
  /// Must be called before the first turn.
  void set_host(Host& host) { host_ = &host; }
  /// True once the catalog has taken the agent's report; or there is no catalog.
  bool known_to_catalog() const { return known_to_catalog_; }

  void on_arrival(PeerId from, const Envelope& envelope) override;
  void carry_out(const Action& action) override;
  void prepare(PollSet& polled) override;
  void turn(const Readiness& ready, Time now) override;

 private:
  const Agent& agent_;
  Executor& executor_;
  DataServer& data_;
  Host* host_ = nullptr;
  bool known_to_catalog_ = false;
};

}  // namespace proffer::live
