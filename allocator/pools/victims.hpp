// The frameworks that lose slots for a starved pool, and how many (SEMANTICS §1): only those above their fair
// share, and never so many that they fall below it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "allocator/state/state.hpp"

namespace proffer::allocator {

/// The slots of one kind that frameworks can spare for a starved pool. Slots that a framework owes to others
/// count as gone, and so do those of its tasks that are being killed, which is how it pays.
class Surplus {
 public:
  Surplus(const State& state, ShareNode starved, Kind kind);

  /// Returns how many slots the framework can give before it falls below its fair share, or a pool does that
  /// it is in and the starved one is not. 0 for frameworks in the starved pool.
  std::int64_t of(FrameworkIndex framework) const;
  /// Counts units of the framework as gone.
  void deduct(FrameworkIndex framework, std::int64_t units);

 private:
  std::vector<ShareNode> givers(FrameworkIndex framework) const;

  const State& state_;
  ShareNode starved_;
  Kind kind_;
  std::map<ShareNode, std::int64_t> taken_;
};

/// Returns whether watched pools may be offered the agent's slots. Watched pools are restricted to no agents,
/// so they may, unless the agent is out of reach or some pool's alone.
bool is_of_all(const AgentRecord& agent);

/// Returns the living tasks of a framework that take slots of the kind and are not wanted dead yet, the
/// newest launch first.
std::vector<LaunchId> newest_tasks(const State& state, Kind kind, FrameworkIndex framework);

struct Loss {
  FrameworkIndex framework;
  std::int64_t units = 0;
};
/// Chooses tasks, the newest first, as far as their frameworks can spare them and until `units` are found.
/// Returns what each framework loses by that, in the order of their newest victims.
std::vector<Loss> choose_losses(const State& state, Surplus& surplus, Kind kind, std::int64_t units);

}  // namespace proffer::allocator
