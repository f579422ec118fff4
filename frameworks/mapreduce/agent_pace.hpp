// The pace of agents: how long maps take on each, of what is usual for their job.
//
// A pace is relative to that of the agent in the middle: the times of an agent that has just ended a job's
// quickest maps say little by themselves.
//
// Invariant: the sorted paces are those of the agents.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::mapreduce {

class AgentPace {
 public:
  /// The maps of an agent after which older ones weigh half: an agent that was slow may be so no longer.
  static constexpr std::int64_t kRemembered = 20;

  /// Notes that a map took so long there, where the median of its job was `usual`. Both above 0.
  void ended(AgentId agent, Duration took, Duration usual);
  /// The time that maps take there, in thousandths of what they take on the agent in the middle; 1000 where
  /// none has ended.
  std::int64_t milli(AgentId agent) const;
  /// The agents where maps take so many thousandths or more, in order of their ids.
  std::vector<AgentId> slower_than(std::int64_t milli) const;
  void check_invariants() const;

 private:
  struct Sum {
    std::int64_t ended = 0;
    Duration took{};
    Duration usual{};
    std::int64_t milli() const;
  };
  std::map<AgentId, Sum> sums_;
  std::vector<std::int64_t> sorted_;
};

}  // namespace proffer::mapreduce
