// The blame for a reduce that cannot fetch outputs of maps: it lies with the agent where the reduce ran, or
// with those that should have them. One sick agent must not have the maps of a whole job made again.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "proffer/ids.hpp"

namespace proffer::mapreduce {

/// The complaint of a reduce that has ended for want of outputs.
struct Complaint {
  std::uint32_t reduce = 0;
  AgentId by;                                ///< the agent where it ran
  std::map<std::uint32_t, AgentId> missing;  ///< maps, and where their outputs should be
  std::set<AgentId> holders;                 ///< agents of all outputs of the job
  bool alone = false;                        ///< no other reduce runs that could confirm it
};

/// The judgement on a complaint.
struct Blame {
  bool own_agent = false;        ///< the agent is to blame where the reduce ran
  std::set<std::uint32_t> maps;  ///< maps that are to be made again
};

/// The complaints of one job about outputs that are still believed to be there.
class Complaints {
 public:
  /// Judges a complaint. A reduce that gets nothing from more than half of the other agents with outputs, and
  /// from two at least, has itself to blame. A map is made again when its agent is one of `gone`, or is that
  /// of the reduce itself (so it is no matter of the network); when reduces on two agents complain of it, or
  /// one three times; and when nobody else is there to confirm it and the reduce has not itself to blame.
  Blame judge(const Complaint& complaint, const std::set<AgentId>& gone);
  /// Forgets the complaints about a map that is made again.
  void forget(std::uint32_t map) { of_maps_.erase(map); }

 private:
  /// The number of complaints about one map, by agent and reduce.
  using OfMap = std::map<AgentId, std::map<std::uint32_t, std::uint32_t>>;
  std::map<std::uint32_t, OfMap> of_maps_;
};

}  // namespace proffer::mapreduce
