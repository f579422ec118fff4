// The sandboxes of an agent, new ones for runs that begin, and the oldest finished ones deleted:
//
//   <root>/<framework name>.<first 8 digits of its id>/<task id>
//
// Frameworks may share a name, and tasks of theirs an id. Its invariant: a folder belongs to one run, and
// keeps its name while that lives.
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
  using Live = std::map<LaunchId, std::string>;  ///< the folders of runs
  /// Takes folders that lie below `root` already as finished, in order of their age, except those of runs that
  /// live from before. At most `keep` finished ones stay.
  SandboxShelf(std::string root, std::size_t keep, Live live = {});

  /// Makes a new, empty folder for a run, which nobody else may read. One of the same name is moved aside, to
  /// <task id>~1, ~2, ..., when its run has finished; `exists` when that lives. `io`.
  Result<std::string> make(LaunchId launch, FrameworkId framework, const std::string& framework_name,
                           const TaskId& task);
  /// Notes that the run is over; no effect for runs that have no folder.
  void finish(LaunchId launch);
  /// Notes the same of a run whose folder nobody wants to see: it is deleted.
  void drop(LaunchId launch);

 private:
  void find_finished();
  Result<> move_aside(const std::string& folder);
  void discard_oldest();
  void discard(const std::string& folder);

  std::string root_;
  std::size_t keep_;
  Live live_;
  std::deque<std::string> finished_;  // the oldest first
  std::size_t discarded_ = 0;
  Janitor janitor_;
};

}  // namespace proffer::live
