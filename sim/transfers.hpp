// Flows, each with the part of the executor that it belongs to. Its invariant: a flow that has not ended has
// an owner, which is told of its end once.
#pragma once

#include <vector>

#include "sim/event_queue.hpp"
#include "sim/flows.hpp"

namespace proffer::sim {

class FlowOwner {
 public:
  virtual ~FlowOwner() = default;
  /// Told when all bytes have come, not when the flow was cancelled. The number may be another flow's from
  /// then on.
  virtual void flow_ended(FlowNo flow, Time now) = 0;
};

class Transfers {
 public:
  explicit Transfers(EventQueue& queue)
      : flows_([&queue](Time at, FlowNo flow, std::uint32_t version) {
          queue.push(at, What::flow_end, flow, version);
        }) {}
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;

  /// The path must not be empty, nor `bytes` 0. `owner` outlives the flow.
  FlowNo start(FlowOwner& owner, const Path& path, std::uint64_t bytes, Time now) {
    const auto flow = flows_.start(path, bytes, now);
    if (owners_.size() <= flow) owners_.resize(flow + 1);
    owners_[flow] = &owner;
    return flow;
  }
  void cancel(FlowNo flow, Time now) { flows_.cancel(flow, now); }
  /// Called at a time that stands on the queue; the flow may have been given another since.
  void due(FlowNo flow, std::uint32_t version, Time now) {
    if (flows_.ended(flow, version, now)) owners_[flow]->flow_ended(flow, now);
  }
  /// Returns when the flow ends if nothing changes.
  Time ends(FlowNo flow) const { return flows_.ends(flow); }

  Flows& flows() { return flows_; }
  void check_invariants() const { flows_.check_invariants(); }

 private:
  Flows flows_;
  std::vector<FlowOwner*> owners_;  ///< indexed by flow
};

}  // namespace proffer::sim
