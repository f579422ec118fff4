// The host of an agent for storms: what outlives the agent's process. Its records, its runs, and how those
// ended that nobody has settled; and the truth about each run, which the agent has to tell.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "proffer/machine.hpp"

namespace proffer::agent_test {

class StormHost {
 public:
  struct Process {
    Resources resources;
    bool deaf = false;  // to SIGTERM
    Time began{};
  };

  /// The records and the runs of a host are its disk and its process table: both outlive all agents on it.
  void keep(const Action& action) {
    if (const auto* kept = std::get_if<KeepRecord>(&action)) {
      records_.insert_or_assign(key_of(kept->record), kept->record);
    }
    if (const auto* dropped = std::get_if<DropRecord>(&action)) records_.erase(dropped->key);
  }
  std::vector<Kept> records() const {
    std::vector<Kept> all;
    for (const auto& [key, record] : records_) all.push_back(record);
    return all;
  }

  void start(const StartRun& run, const Process& process, const Resources& slots) {
    ASSERT_TRUE(records_.contains(key_of(run.launch))) << "launch " << run.launch.n << " is not kept";
    ASSERT_TRUE(started_.insert(run.launch).second) << "launch " << run.launch.n << " was started twice";
    ASSERT_TRUE(tasks_.insert(run.task.id).second) << run.task.id.value << " was started twice";
    auto sum = run.task.resources;
    for (const auto& [launch, other] : processes_) sum += other.resources;
    ASSERT_TRUE(slots.contains(sum)) << "the runs take more than there is";
    processes_[run.launch] = process;
  }
  const Process* find(LaunchId launch) const {
    const auto found = processes_.find(launch);
    return found == processes_.end() ? nullptr : &found->second;
  }
  /// A process ends. Returns false when it has ended before, another way.
  bool end(const RunExited& exited) {
    if (processes_.erase(exited.launch) == 0) return false;
    unsettled_[exited.launch] = ends_[exited.launch] = exited;
    return true;
  }
  void settle(LaunchId launch) {
    ASSERT_FALSE(processes_.contains(launch)) << "launch " << launch.n << " is settled while it runs";
    unsettled_.erase(launch);
  }
  RunsListed list(Time now) const {
    RunsListed listed;
    for (const auto& [launch, process] : processes_) listed.living.push_back({launch, now - process.began});
    for (const auto& [launch, exited] : unsettled_) listed.ended.push_back(exited);
    return listed;
  }
  /// All processes end at once, and nothing says how, nor how those ended that nobody has asked about yet.
  void reboot() {
    ++boot_;
    for (const auto& [launch, process] : processes_) rebooted_.insert(launch);
    for (const auto& [launch, exited] : unsettled_) rebooted_.insert(launch);
    processes_.clear();
    unsettled_.clear();
  }
  std::string boot() const { return "boot " + std::to_string(boot_); }
  bool idle() const { return processes_.empty(); }

  /// Expects that the agent has told the truth about a launch.
  void expect_true(LaunchId launch, const TaskStatus& told) const {
    const auto name = "launch " + std::to_string(launch.n) + ", " + std::string(to_string(told.state)) + " " +
                      std::string(to_string(told.reason));
    const auto end = ends_.find(launch);
    EXPECT_NE(told.reason, TaskReason::agent_lost) << name << ": no process vanishes here";
    if (told.state == TaskState::lost) {
      EXPECT_TRUE(rebooted_.contains(launch) || !started_.contains(launch)) << name;
    } else if (!started_.contains(launch)) {
      EXPECT_TRUE(told.state == TaskState::rejected || told.state == TaskState::dropped ||
                  told.state == TaskState::killed)
          << name << ", but it never ran";
    } else if (end == ends_.end()) {
      ADD_FAILURE() << name << ", but nobody knows how it ended";
    } else {
      EXPECT_EQ(told.exit, end->second.exit) << name;
      EXPECT_NE(told.state, TaskState::dropped) << name << ", but it ran";
      const bool well =
          end->second.exit == ExitStatus{} && !end->second.fault && end->second.spawn_error.empty();
      EXPECT_TRUE(told.state == TaskState::killed || (told.state == TaskState::finished) == well) << name;
    }
  }

 private:
  std::map<KeptKey, Kept> records_;
  std::map<LaunchId, Process> processes_;
  std::map<LaunchId, RunExited> unsettled_;
  std::map<LaunchId, RunExited> ends_;  // of all that ever ended by themselves
  std::set<LaunchId> started_;
  std::set<TaskId> tasks_;
  std::set<LaunchId> rebooted_;
  int boot_ = 1;
};

}  // namespace proffer::agent_test
