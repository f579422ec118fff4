// Everything the allocator knows, as its handlers share it.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "allocator/state/starvation.hpp"
#include "allocator/tables/brought.hpp"
#include "allocator/tables/cluster_table.hpp"
#include "allocator/tables/decline_filters.hpp"
#include "allocator/tables/eligibility.hpp"
#include "allocator/tables/framework_table.hpp"
#include "allocator/tables/indices.hpp"
#include "allocator/tables/job_changes.hpp"
#include "allocator/tables/offer_book.hpp"
#include "allocator/tables/peer_table.hpp"
#include "allocator/tables/private_agents.hpp"
#include "allocator/tables/shares.hpp"
#include "allocator/tables/silences.hpp"
#include "allocator/tables/task_table.hpp"
#include "allocator/tables/timer_heap.hpp"
#include "proffer/allocator/allocator.hpp"

namespace proffer::allocator {

/// Free slots that the next pass must look at, in the order in which they became free.
class Released {
 public:
  void add(AgentIndex agent, Kind kind) {
    if (known_.insert({agent, kind}).second) in_order_.emplace_back(agent, kind);
  }
  using InOrder = std::vector<std::pair<AgentIndex, Kind>>;
  InOrder pop_all() {
    known_.clear();
    return std::exchange(in_order_, {});
  }
  bool empty() const { return in_order_.empty(); }

 private:
  InOrder in_order_;
  std::set<std::pair<AgentIndex, Kind>> known_;
};

/// Siblings in that pool are promised more than there is; or (`unknown`) its own min share is of slots that
/// no agent has.
struct BrokenGuarantee {
  std::string pool;
  Kind kind;
  bool unknown = false;
  auto operator<=>(const BrokenGuarantee&) const = default;
};

struct AllocatorState {
  AllocatorState(AllocatorConfig settings, ClusterId of, Epoch now_in, Random seeded, SecretSource source);

  AllocatorConfig config;
  ClusterId cluster_id;
  Epoch epoch;
  Random random;
  SecretSource secrets;

  Eligibility eligibility;
  PrivateAgents private_agents;
  Shares shares;
  ClusterTable cluster;
  FrameworkTable frameworks;
  PeerTable peers;
  Brought kinds_brought;  // of slots; none is ever forgotten
  OfferBook offers;
  TaskTable tasks;
  DeclineFilters filters;
  Silences silences;
  Stamps stamps;
  Released released;
  std::set<BrokenGuarantee> warned_of;  // see guarantees.hpp
  std::optional<Time> next_look;        // at guarantees
  std::optional<Time> next_pass;        // only with config.batch: something waits for it

  Starvation starvation;

  TimerHeap<AgentIndex> reports;  // only with config.report_period
  TimerHeap<AgentIndex> agent_silence;
  TimerHeap<LeafId> framework_silence;
  TimerHeap<FrameworkId> give_ups;
  JobChanges job_changes;
  std::optional<Error> disk_full;  // nothing can be kept, and why
  std::uint64_t beat = 0;
  std::optional<Time> next_beat;
  Time forgiving_until = Time::min();  // after a pause of our own nobody is given up at once
};

}  // namespace proffer::allocator
