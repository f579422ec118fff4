// The agents that keep cached files, as far as the tasks of this framework have shown it; a file counts by
// its first block.
//
// Invariant: an agent holds a file from the first task that had it there until one failed there or the agent
// was lost. Jobs do not matter: the next one that uses the file finds it there.
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/messages/work.hpp"

namespace proffer::mapreduce {

class CacheHolders {
 public:
  /// Notes that an agent holds a file; false when that was known.
  bool add(BlockId file, AgentId agent) { return holders_[file].insert(agent).second; }
  /// Notes that an agent may have lost a file, or never had it; false when it was no holder.
  bool remove(BlockId file, AgentId agent);
  /// Notes that an agent is gone, and returns the files that it held.
  std::vector<BlockId> forget(AgentId agent);
  /// Agents that hold all of these files; none when there are no files. In order of id.
  std::vector<AgentId> of_all(std::span<const CachedFile> files) const;

 private:
  std::map<BlockId, std::set<AgentId>> holders_;
};

}  // namespace proffer::mapreduce
