// The spread, over the agents, of the tasks of some jobs that belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "proffer/ids.hpp"

namespace proffer::mapreduce {

class Spread {
 public:
  /// Counts so many more tasks (or fewer) that run on that agent.
  void count(AgentId agent, std::int64_t more);
  /// True when with `placed` more the agent runs more of them than the mean over `agents` agents.
  bool above_mean(AgentId agent, std::size_t placed, std::size_t agents) const;
  bool operator==(const Spread&) const = default;

 private:
  std::int64_t all_ = 0;
  std::map<AgentId, std::int64_t> on_;  ///< tasks; none is zero
};

}  // namespace proffer::mapreduce
