// The runs that stand between an agent and its slots: those of former lives of which the world has not told
// yet what became of them, and those that nobody wants. Its invariant: no run is both.
#pragma once

#include <set>
#include <utility>

#include "proffer/ids.hpp"

namespace proffer::agent {

class Recovery {
 public:
  /// Notes a run of a former life, before the first step.
  void await(LaunchId launch) {
    awaited_.insert(launch);
    is_told_ = false;
  }
  bool awaits(LaunchId launch) const { return awaited_.contains(launch); }
  /// Notes that the world has told of all awaited runs, and returns them.
  std::set<LaunchId> take_awaited() {
    is_told_ = true;
    return std::exchange(awaited_, {});
  }

  /// Notes a run that is to end, and whose end is nobody's concern.
  void disown(LaunchId launch) { disowned_.insert(launch); }
  /// Notes that a run has no process any more. Returns whether it was disowned.
  bool over(LaunchId launch);

  /// Returns whether slots are free as far as they seem so: there is no such run.
  bool done() const { return is_told_ && disowned_.empty(); }

  /// Returns true once: in the first step.
  bool take_beginning() { return !std::exchange(begun_, true); }
  bool begun() const { return begun_; }
  void check_invariants() const;

 private:
  bool begun_ = false;
  bool is_told_ = true;
  std::set<LaunchId> awaited_;
  std::set<LaunchId> disowned_;
};

}  // namespace proffer::agent
