// Whose fault it is when a reduce cannot fetch outputs of maps: of the agent where it ran, or of those that
// should have them. One sick agent must not have the maps of a whole job made again.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "proffer/ids.hpp"

namespace proffer::mapreduce {

/// A reduce has ended for want of outputs.
struct Complaint {
  std::uint32_t reduce = 0;
  AgentId by;                                ///< where it ran
  std::map<std::uint32_t, AgentId> missing;  ///< maps, and where their outputs should be
  std::set<AgentId> holders;                 ///< of all outputs of the job
  bool alone = false;                        ///< no other reduce runs that could confirm it
};

struct Blame {
  bool own_agent = false;        ///< it is where the reduce ran that is to blame
  std::set<std::uint32_t> maps;  ///< to be made again
};

/// The complaints of one job about outputs that are still believed to be there.
class Complaints {
 public:
  /// A reduce that gets nothing from more than half of the other agents with outputs, and from two at least,
  /// has itself to blame. A map is made again when its agent is one of `gone`, or is that of the reduce
  /// itself (so it is no matter of the network); when reduces on two agents complain of it, or one three
  /// times; and when nobody else is there to confirm it and the reduce has not itself to blame.
  Blame judge(const Complaint& complaint, const std::set<AgentId>& gone);
  /// That map is made again.
  void forget(std::uint32_t map) { of_maps_.erase(map); }

 private:
  /// Who complained: by agent and reduce, how often.
  using OfMap = std::map<AgentId, std::map<std::uint32_t, std::uint32_t>>;
  std::map<std::uint32_t, OfMap> of_maps_;
};

}  // namespace proffer::mapreduce
