// The truth about what ran: every process of a task, from when until when, and who ended it. The machines do
// not know this table; they are judged by it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/resources.hpp"
#include "proffer/task_state.hpp"
#include "proffer/time.hpp"
#include "sim/storm/record.hpp"

namespace proffer::sim::storm {

using TaskKey = std::pair<FrameworkId, TaskId>;
using HostNo = std::uint32_t;

struct TaskProcess {
  LaunchId launch;
  TaskKey task;
  HostNo host = 0;
  Resources resources;
  Time from;
  std::optional<Time> until;
  bool by_itself = false;  ///< nobody ended it
  ExitStatus exit;
  bool rebooted = false;  ///< a reboot of its host has ended it
};

/// The causes for which tasks may be ended.
struct Causes {
  std::set<TaskKey> kills;         ///< asked for by their framework
  std::set<FrameworkId> given_up;  ///< torn down, or away for their whole failover timeout
  /// Their framework has lied about where they are to run. Asked for at another agent they are not there, and
  /// are ended where they are.
  std::set<TaskKey> misplaced;
  std::set<HostNo> hosts;  ///< an operator, or an orderly stop that kills, ends what runs there
  bool explain(const TaskKey& task, HostNo host) const {
    return kills.contains(task) || misplaced.contains(task) || given_up.contains(task.first) ||
           hosts.contains(host);
  }
};

class ProcessTable {
 public:
  /// `slots`: of each host.
  ProcessTable(std::vector<Resources> slots, Record& record) : slots_(std::move(slots)), record_(record) {}

  void began(TaskProcess process);
  void ended(LaunchId launch, Time now, ExitStatus exit, bool by_itself);
  /// A reboot of its host has ended a process.
  void rebooted(LaunchId launch, Time now);
  /// Somebody is about to end a process: there has to be a cause.
  void signalled(LaunchId launch, Time now);
  /// A framework was told that a task has come to this end: it must be true, and stay true.
  void told(const TaskKey& task, TaskState state, TaskReason reason, Time now);
  /// An agent was declared gone: what is said of its tasks needs no proof.
  void barred(HostNo host) { barred_.insert(host); }

  /// Permits to end whatever runs on a host, until may_end_no_more(); and later what ran at these two times.
  void may_end(HostNo host);
  void may_end_no_more(HostNo host);

  bool is_barred(HostNo host) const { return barred_.contains(host); }
  const TaskProcess* find(const TaskKey& task) const;
  const TaskProcess* find(LaunchId launch) const;
  bool alive(const TaskKey& task) const;
  const std::vector<TaskProcess>& all() const { return processes_; }
  Resources live_on(HostNo host) const;
  /// Returns whether a process has begun or ended there since then.
  bool changed_since(HostNo host, Time then) const;

  Causes causes;

 private:
  std::vector<Resources> slots_;
  Record& record_;
  std::vector<TaskProcess> processes_;
  std::map<TaskKey, std::size_t> by_task_;
  std::map<LaunchId, std::size_t> by_launch_;
  std::map<TaskKey, TaskState> said_to_be_over_;
  std::set<HostNo> barred_;
};

std::string name_of(LaunchId launch);
std::string name_of(const TaskKey& task);

}  // namespace proffer::sim::storm
