// Tasks from ACCEPT until their end is acknowledged. Invariants: one record a launch; states change only as
// task_state.hpp allows; and a message that has to be sent again has a time for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "allocator/tables/indices.hpp"
#include "allocator/tables/timer_heap.hpp"
#include "proffer/messages/agent.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/session/resend.hpp"

namespace proffer::allocator {

struct TaskRecord {
  LaunchId launch;
  FrameworkIndex framework;
  std::optional<AgentIndex> agent;  ///< none: its agent was removed; then it has ended
  TaskId id;
  Resources resources;
  JobId job;
  bool there = false;  ///< the agent is known to have the task
  TaskState state = TaskState::pending;
  std::uint64_t seq = 0;         ///< number of the newest status its agent reported
  std::optional<TaskSpec> spec;  ///< until the agent has it
  std::optional<Duration> kill;  ///< the grace, when somebody wants it to end
  bool preempted = false;        ///< the allocator wants it to end, for a starved pool
  bool drained = false;          ///< the allocator wants it to end, for an operator
  /// Number of the newest status its framework was sent. Numbers rise over restarts of the allocator, whose
  /// epoch is their upper half.
  std::uint64_t told = 0;
  std::optional<TaskStatus> owed;         ///< not acknowledged by the framework; numbered `told`
  std::uint64_t owed_seq = 0;             ///< the agent's number of `owed`; 0: the allocator wrote it
  bool agent_away = false;                ///< nobody else sends `owed` again
  std::optional<session::Resend> resend;  ///< time to repeat the LAUNCH, the KILL, or the status

  bool ended() const { return is_terminal(state); }
  /// Returns whether the owed status is the allocator's own, so nobody else sends it again.
  bool owes_own() const { return owed && owed_seq == 0; }
  /// Returns whether the owed status is the allocator's to send again. It stays the agent's all the same, who
  /// has kept it, and is to hear of the acknowledgement when it is back.
  bool repeats() const { return owes_own() || (owed && agent_away); }
  bool awaits() const { return spec || (kill && !ended()) || repeats(); }
};

class TaskTable {
 public:
  explicit TaskTable(Epoch epoch) : epoch_(epoch.value) {}

  /// Returns whether a launch is of a former life of the allocator, of which only its agent knows.
  bool is_former(LaunchId launch) const { return launch.epoch < epoch_; }

  /// Numbers a new launch, in state PENDING.
  TaskRecord& launch(FrameworkIndex framework, AgentIndex agent, TaskSpec spec, Time now);
  /// Takes up a launch of a former life that its agent lists, as living. Its statuses come from the agent, of
  /// whatever number.
  TaskRecord& adopt(FrameworkIndex framework, AgentIndex agent, const AgentTask& listed);
  /// Notes that the agent has the task. Returns whether that was not known.
  static bool arrived(TaskRecord& task) {
    task.spec.reset();
    return !std::exchange(task.there, true);
  }
  /// Marks a task as wanted dead. A shorter grace than before is taken over, a longer one is not.
  void want_dead(TaskRecord& task, Duration grace, Time now);
  /// Returns whether the task may go into that state; a living task may stay in its own.
  static bool may_become(const TaskRecord& task, TaskState state);
  /// Takes over a state; the framework is owed the status, under a number of the allocator's. `status.seq` is
  /// the agent's, or 0. Aborts unless may_become().
  void report(TaskRecord& task, TaskStatus status, Time now);
  /// The agent that has said what is owed does not repeat it for now: it is away.
  void repeat_for_agent(TaskRecord& task, Time now);
  /// Notes that the framework knows the owed status.
  void acknowledged(TaskRecord& task) { task.owed.reset(); }
  void erase(LaunchId launch);

  TaskRecord* find(LaunchId launch);
  const TaskRecord* find(LaunchId launch) const;
  TaskRecord& operator[](LaunchId launch);
  std::size_t size() const { return tasks_.size(); }
  /// Returns all tasks in order of launch.
  std::vector<LaunchId> all() const;

  // Messages that have to be sent again: 1 s after they were sent, then after 2, 4, 8, and each further 10 s.
  std::optional<Time> next_resend() const { return resends_.next(); }
  TaskRecord* pop_resend(Time now);
  /// Schedules the next time, after the messages of a task were sent again.
  void sent_again(TaskRecord& task, Time now);
  /// Drops void times. To be called before next_resend() is believed.
  void settle();

  void check_invariants() const;

 private:
  struct OfLaunch {
    std::size_t operator()(LaunchId launch) const noexcept { return launch.n + (launch.epoch << 32); }
  };
  TaskRecord& add(LaunchId launch, FrameworkIndex framework, AgentIndex agent, TaskId id);
  void schedule(TaskRecord& task, Time now);
  bool still_wanted(Time at, LaunchId launch) const;

  std::uint64_t epoch_;
  std::uint64_t newest_ = 0;
  std::unordered_map<LaunchId, TaskRecord, OfLaunch> tasks_;  // iterated only to be sorted
  TimerHeap<LaunchId> resends_;
};

}  // namespace proffer::allocator
