// The sandboxes of an agent: <root>/<framework name>/<task id>, new ones for runs that begin, and the oldest
// finished ones deleted. Its invariant: a folder belongs to one run.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>

#include "live/run/janitor.hpp"
#include "proffer/ids.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

class SandboxShelf {
 public:
  /// What lies below `root` already counts as finished, in order of its age. At most `keep` finished ones
  /// stay.
  SandboxShelf(std::string root, std::size_t keep);

  /// A new, empty folder for a run, which nobody else may read. One of the same name, of an earlier framework
  /// of that name, is moved aside: to <task id>~1, ~2, ... `io`.
  Result<std::string> make(LaunchId launch, const std::string& framework_name, const TaskId& task);
  /// The run is over; no effect for runs that have no folder.
  void finish(LaunchId launch);

 private:
  void find_finished();
  Result<> move_aside(const std::string& folder);
  void discard_oldest();

  std::string root_;
  std::size_t keep_;
  std::map<LaunchId, std::string> live_;
  std::deque<std::string> finished_;  // the oldest first
  std::size_t discarded_ = 0;
  Janitor janitor_;
};

}  // namespace proffer::live
