// Replicas that the catalog has made: bytes on their way between two disks, beside those that tasks read. Its
// invariant: a block is on its way to a node once at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "proffer/machine.hpp"
#include "sim/links.hpp"
#include "sim/transfers.hpp"

namespace proffer::sim {

/// Told of each event that an executor would tell its agent.
using NotifyAgent = std::function<void(AgentNo, Event)>;

class BlockCopies final : public FlowOwner {
 public:
  BlockCopies(Nodes& nodes, const Links& links, Transfers& transfers, NotifyAgent notify);

  /// Moves a block from another node to this one.
  void fetch(AgentNo agent, const FetchBlock& fetch, Time now);
  /// Forgets copies to a node that is gone.
  void lose(AgentNo agent, Time now);
  /// Begins copies anew, from another node, whose source does not reach them any more.
  void reroute(Time now);
  void flow_ended(FlowNo flow, Time now) override;

 private:
  struct Copy {
    AgentNo source = 0;
    FetchBlock fetch;
    std::optional<FlowNo> flow;  ///< none: no link limits it
  };
  void finish(ReplicaKey key);
  void cancel(const Copy& copy, Time now);

  Nodes& nodes_;
  const Links& links_;
  Transfers& transfers_;
  NotifyAgent notify_;
  std::map<ReplicaKey, Copy> copies_;
  std::map<FlowNo, ReplicaKey> by_flow_;
};

}  // namespace proffer::sim
