// How tasks of some jobs that belong together lie over the agents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "proffer/ids.hpp"

namespace proffer::mapreduce {

class Spread {
 public:
  /// So many more of them (or fewer) run there.
  void count(AgentId agent, std::int64_t more);
  /// With `placed` more there, the agent runs more of them than the mean over `agents` agents.
  bool above_mean(AgentId agent, std::size_t placed, std::size_t agents) const;
  bool operator==(const Spread&) const = default;

 private:
  std::int64_t all_ = 0;
  std::map<AgentId, std::int64_t> on_;  // none is zero
};

}  // namespace proffer::mapreduce
