// The jobs of a workload: each is submitted to its framework at its time, or once the job that it waits for
// has ended. Its invariant: a job that runs is known by its framework and the id it got there.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "proffer/study/plan.hpp"
#include "sim/event_queue.hpp"
#include "sim/framework_node.hpp"
#include "sim/node.hpp"

namespace proffer::sim {

class Submissions {
 public:
  Submissions(const study::Plan& plan, EventQueue& queue) : plan_(plan), queue_(queue) {}

  /// Adds the plan's next framework.
  void add(NodeNo node, FrameworkNode& framework) { frameworks_.emplace_back(node, &framework); }
  /// Puts all jobs that wait for no other on the queue; after all frameworks were added.
  void begin();

  /// Submits the job of that number in the workload. Returns the framework's node, or its error.
  Result<NodeNo> submit(std::uint32_t job);
  /// Notes that a job has ended, and puts those that waited for it on the queue.
  void finished(NodeNo node, const JobFinished& trace, Time now);

  std::uint64_t ended() const { return ended_; }
  bool all_ended() const { return ended_ == plan_.workload.jobs.size(); }
  /// Returns the names of jobs that have failed, with reasons.
  const std::vector<std::string>& failed() const { return failed_; }

 private:
  const study::Plan& plan_;
  EventQueue& queue_;
  std::vector<std::pair<NodeNo, FrameworkNode*>> frameworks_;  ///< same order as in the plan
  std::vector<std::size_t> framework_of_job_;  ///< the framework of each job, in the workload's order
  std::map<std::string, std::vector<std::uint32_t>> successors_;  ///< jobs that wait for a job of that name
  std::map<std::pair<NodeNo, JobId>, std::uint32_t> submitted_;
  std::uint64_t ended_ = 0;
  std::vector<std::string> failed_;
};

}  // namespace proffer::sim
