// Permits of reduces to compute: copy-compute splitting (UCB/EECS-2009-55 §5). A reduce is a copy part, which
// takes the network, and a compute part, which takes a processor. More reduces may copy than may compute, so
// that a job whose maps are not done does not keep processors idle by holding reduce slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <vector>

#include "proffer/ids.hpp"

namespace proffer::agent {

class ComputePermits {
 public:
  /// `most`: how many reduces may compute at a time; 0: no bound.
  explicit ComputePermits(std::uint32_t most) : most_(most) {}

  /// A run has copied all its input. Asking twice is asking once.
  void ask(LaunchId launch);
  /// A run is over. No effect on one that never asked.
  void ended(LaunchId launch);
  /// Returns the runs that may compute from now on, in the order in which they asked. Each is named once.
  std::vector<LaunchId> grant();

  void check_invariants() const;

 private:
  bool has_room() const { return most_ == 0 || computing_.size() < most_; }

  std::uint32_t most_;
  std::deque<LaunchId> waiting_;
  std::set<LaunchId> computing_;
};

}  // namespace proffer::agent
