// Tasks from ACCEPT until their end is acknowledged. Its invariants: one record a launch, states change only
// as task_state.hpp allows, and what has to be sent again has a time for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "allocator/tables/indices.hpp"
#include "allocator/tables/timer_heap.hpp"
#include "proffer/messages/agent.hpp"
#include "proffer/messages/framework.hpp"

namespace proffer::allocator {

struct TaskRecord {
  LaunchId launch;
  FrameworkIndex framework;
  std::optional<AgentIndex> agent;  // none: its agent was removed; then it has ended
  TaskId id;
  Resources resources;
  TaskState state = TaskState::pending;
  std::uint32_t seq = 0;           // of the newest status its agent reported
  std::optional<TaskSpec> spec;    // until the agent has it
  std::optional<Duration> kill;    // somebody wants it to end; the grace
  bool preempted = false;          // and that is us, for a starved pool
  std::uint32_t told = 0;          // of the newest status its framework was sent; our own count among them
  std::optional<TaskStatus> owed;  // the framework has not acknowledged this yet; numbered `told`
  std::uint32_t owed_seq = 0;      // the agent's number of it; 0: we wrote it
  std::optional<Time> send_again;  // the LAUNCH, the KILL, or our own status
  Duration delay{};                // until then, doubling

  bool ended() const { return is_terminal(state); }
  /// Written by us: nobody else sends it again.
  bool owes_own() const { return owed && owed_seq == 0; }
  bool awaits() const { return spec || (kill && !ended()) || owes_own(); }
};

class TaskTable {
 public:
  explicit TaskTable(Epoch epoch) : epoch_(epoch.value) {}

  /// pending; numbers it.
  TaskRecord& launch(FrameworkIndex framework, AgentIndex agent, TaskSpec spec, Time now);
  /// The agent has it.
  void arrived(TaskRecord& task) { task.spec.reset(); }
  /// Wanted dead. A shorter grace than before is taken over, a longer one is not.
  void want_dead(TaskRecord& task, Duration grace, Time now);
  /// Whether its state may become that of `status`; staying is allowed.
  static bool may_become(const TaskRecord& task, TaskState state);
  /// Takes over a state; the framework is owed the news, under a number of its own. `status.seq` is the
  /// agent's, or 0. Aborts unless may_become().
  void report(TaskRecord& task, TaskStatus status, Time now);
  /// The framework knows.
  void acknowledged(TaskRecord& task) { task.owed.reset(); }
  void erase(LaunchId launch);

  TaskRecord* find(LaunchId launch);
  const TaskRecord* find(LaunchId launch) const;
  TaskRecord& operator[](LaunchId launch);
  std::size_t size() const { return tasks_.size(); }
  /// In order of launch.
  std::vector<LaunchId> all() const;

  // What has to be sent again: 1 s after it was sent, then 2, 4, 8 and 10 s.
  std::optional<Time> next_resend() const { return resends_.next(); }
  TaskRecord* pop_resend(Time now);
  /// It was sent again just now.
  void sent_again(TaskRecord& task, Time now);
  /// To be called before next_resend() is believed.
  void settle();

  void check_invariants() const;

 private:
  void schedule(TaskRecord& task, Time now);
  bool still_wanted(Time at, LaunchId launch) const;

  std::uint64_t epoch_;
  std::uint64_t newest_ = 0;
  std::unordered_map<std::uint64_t, TaskRecord> tasks_;  // by launch.n; iterated only to be sorted
  TimerHeap<LaunchId> resends_;
};

}  // namespace proffer::allocator
