// Tasks that run. Its invariant: a run that is not over is found by its launch, and a run's number is used
// again only with another version.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "proffer/machine.hpp"
#include "sim/flows.hpp"
#include "sim/nodes.hpp"

namespace proffer::sim {

using RunNo = std::uint32_t;

struct Run {
  enum class Phase : std::uint8_t { starting, working, writing };

  // The task.
  AgentNo agent = 0;
  LaunchId launch;
  WorkPtr task_work;
  Kind kind;

  // The progress of the run.
  Phase phase = Phase::starting;
  Time until{};  ///< the end of its start-up, computing or writing
  bool computing = false;
  bool asked = false;  ///< permission to compute was asked for
  bool far = false;    ///< a file that the run needs was not on its node; only with the penalty model

  // The input. `flows` is empty when all of it is here that the run knows of.
  bool complete = true;  ///< the run knows all its inputs
  std::vector<SyntheticInput> inputs;
  std::size_t copied = 0;  ///< the number of inputs that are here for certain
  std::uint64_t local_bytes = 0;
  std::uint64_t remote_bytes = 0;
  boost::container::small_vector<FlowNo, 2> flows;

  std::uint32_t version = 0;
  bool live = false;

  const SyntheticWork& work() const { return std::get<SyntheticWork>(*task_work); }
};

class RunTable {
 public:
  /// Opens a run of synthetic work. References to other runs do not outlive this.
  RunNo open(AgentNo agent, const StartRun& start) {
    if (free_.empty()) {
      free_.push_back(static_cast<RunNo>(runs_.size()));
      runs_.emplace_back();
    }
    const auto number = free_.back();
    free_.pop_back();
    auto& run = runs_[number];
    const auto version = run.version;
    run = {};
    run.version = version + 1;
    run.agent = agent;
    run.launch = start.launch;
    run.task_work = start.task.work;
    run.inputs = run.work().inputs;
    run.complete = run.work().complete;
    run.live = true;
    if (!start.task.resources.empty()) run.kind = start.task.resources.begin()->first;
    by_launch_[{agent, start.launch}] = number;
    return number;
  }
  void close(RunNo number) {
    auto& run = runs_[number];
    by_launch_.erase({run.agent, run.launch});
    run.live = false;
    ++run.version;
    run.task_work.reset();
    free_.push_back(number);
  }

  Run& operator[](RunNo number) { return runs_[number]; }
  const std::vector<Run>& all() const { return runs_; }
  /// Returns the run of that launch; none: it is over.
  std::optional<RunNo> find(AgentNo agent, LaunchId launch) const {
    const auto at = by_launch_.find({agent, launch});
    return at == by_launch_.end() ? std::nullopt : std::optional(at->second);
  }
  /// Returns whether the run has not changed its version since.
  bool is_still(RunNo number, std::uint32_t version) const {
    return runs_[number].live && runs_[number].version == version;
  }

 private:
  std::vector<Run> runs_;
  std::vector<RunNo> free_;
  std::map<std::pair<AgentNo, LaunchId>, RunNo> by_launch_;
};

}  // namespace proffer::sim
