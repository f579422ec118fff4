// The outputs of one job's maps that are there, and the complaints about them.
//
// Invariant: the list of ended maps names each map with an output once, in the order in which they ended, and
// nobody complains of a map without an output.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "frameworks/mapreduce/fetch_blame.hpp"
#include "proffer/ids.hpp"
#include "proffer/messages/work.hpp"

namespace proffer::mapreduce {

/// The output that a finished map left at its agent.
struct MapOutcome {
  AgentId agent;
  MapResult result;
};

class MapOutputs {
 public:
  /// A map that has no output here has ended well.
  void add(std::uint32_t map, MapOutcome outcome);
  /// Returns a number that rises with each add().
  std::uint64_t added() const { return added_; }
  /// Sets that number, for the next one to be higher. Aborts when it would fall.
  void skip_to(std::uint64_t added);
  /// The output of that map is gone. Aborts when there was none.
  void lose(std::uint32_t map);

  const MapOutcome& at(std::uint32_t map) const { return by_map_.at(map); }
  const std::map<std::uint32_t, MapOutcome>& by_map() const { return by_map_; }
  /// Maps with an output, in the order in which they ended.
  const std::vector<std::uint32_t>& ended() const { return ended_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(ended_.size()); }
  bool empty() const { return ended_.empty(); }

  /// Agents that hold outputs.
  std::set<AgentId> holders() const;
  /// See Complaints::judge(); maps that it blames have outputs here.
  Blame judge(const Complaint& complaint, const std::set<AgentId>& gone);

  /// Aborts unless the invariant holds.
  void check_invariants() const;

 private:
  std::map<std::uint32_t, MapOutcome> by_map_;
  std::vector<std::uint32_t> ended_;
  std::uint64_t added_ = 0;
  Complaints complaints_;
};

}  // namespace proffer::mapreduce
