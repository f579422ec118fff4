// The reasons for the next offer pass, but for hungry frameworks, which the shares keep.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "allocator/tables/indices.hpp"
#include "proffer/resources.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

/// Free slots that the next pass must look at, in the order in which they became free, each once.
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

/// Invariant: after a step nothing is released unless the next pass has a time (AllocatorConfig::batch), or
/// there are no further ones.
struct PassAgenda {
  Released released;
  bool over = false;         ///< the process is about to end: nothing is offered, and nobody gets a session
  std::optional<Time> next;  ///< none: the next pass is made at once, or nothing waits for one
};

}  // namespace proffer::allocator
