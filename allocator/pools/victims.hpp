// Who may lose slots for a starved pool, and how many (SEMANTICS §1): only those above their fair share, and
// never below it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "allocator/state/state.hpp"

namespace proffer::allocator {

/// How much of one kind everybody on the way to the root can spare for a pool. What a framework owes to
/// others counts as gone, and so do its tasks that are being killed, which is how it pays.
class Surplus {
 public:
  Surplus(const State& state, ShareNode starved, Kind kind);

  /// What that framework can give without it, or a pool that it is in and the starved one is not, falling
  /// below its fair share. 0 for those who are in the starved pool.
  std::int64_t of(FrameworkIndex framework) const;
  void take(FrameworkIndex framework, std::int64_t units);

 private:
  std::vector<ShareNode> givers(FrameworkIndex framework) const;

  const State& state_;
  ShareNode starved_;
  Kind kind_;
  std::map<ShareNode, std::int64_t> taken_;
};

/// Whether what comes free there may be a watched pool's: these are restricted to no agents, so all may but
/// those that are somebody's alone.
bool is_of_all(const AgentRecord& agent);

/// Living tasks of a framework that take some of the kind and that nobody has killed; newest launch first.
std::vector<LaunchId> newest_tasks(const State& state, Kind kind, FrameworkIndex framework);

struct Loss {
  FrameworkIndex framework;
  std::int64_t units = 0;
};
/// Frameworks in the order of their newest victims, and what each loses: task by task, the newest first, as
/// far as there is a surplus, and until `units` are found.
std::vector<Loss> choose_losses(const State& state, Surplus& surplus, Kind kind, std::int64_t units);

}  // namespace proffer::allocator
