// Tasks laid out on lanes, one a slot: no two tasks of a lane overlap in time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "proffer/study/results.hpp"

namespace proffer::study::reporting {

struct LaidTask {
  const TaskRow* task = nullptr;
  std::size_t lane = 0;  ///< number of the lane within its agent
};

/// Tasks of one kind in order of placement, each on the lowest lane of its agent that is free.
std::vector<LaidTask> lay_out(const RunResult& run, const std::string& kind);

/// The lanes of all agents below each other, for runs that are drawn with one axis: rack by rack, by name.
class LaneAxis {
 public:
  /// Room for as many lanes as any of the layouts needs on an agent; agents beyond `limit` lanes are left
  /// out.
  LaneAxis(const std::vector<std::vector<LaidTask>>& layouts, std::size_t limit);
  bool holds(const TaskRow& task) const { return first_.contains(task.agent); }
  std::size_t lane_of(const LaidTask& task) const { return first_.at(task.task->agent) + task.lane; }
  std::size_t lanes() const { return lanes_; }
  std::size_t agents() const { return first_.size(); }
  std::size_t agents_left_out() const { return left_out_; }
  /// About a dozen of the agents with their first lane, in order.
  std::vector<std::pair<std::size_t, std::string>> ticks() const;

 private:
  std::map<std::string, std::size_t> first_;  // lane of an agent
  std::size_t lanes_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace proffer::study::reporting
