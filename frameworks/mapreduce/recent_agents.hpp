// Agents that were offered lately: those that a framework may count on, of all that it has ever seen.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::mapreduce {

class RecentAgents {
 public:
  static constexpr Duration kRecent = std::chrono::minutes(10);

  void offered(AgentId agent, Time now) {
    if (const auto known = last_.find(agent); known != last_.end()) by_time_.erase({known->second, agent});
    last_[agent] = now;
    by_time_.emplace(now, agent);
    while (by_time_.begin()->first + kRecent < now) {
      last_.erase(by_time_.begin()->second);
      by_time_.erase(by_time_.begin());
    }
  }
  std::size_t count() const { return last_.size(); }

 private:
  std::map<AgentId, Time> last_;
  std::set<std::pair<Time, AgentId>> by_time_;
};

}  // namespace proffer::mapreduce
