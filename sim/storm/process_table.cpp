#include "sim/storm/process_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace proffer::sim::storm {
namespace {

std::string host_name(HostNo host) { return fmt::format("agent-{}", host + 1); }

}  // namespace

std::string name_of(LaunchId launch) { return fmt::format("launch {}.{}", launch.epoch, launch.n); }
std::string name_of(const TaskKey& task) {
  return fmt::format("task {} of framework {}", task.second.value, to_hex(task.first.value).substr(0, 6));
}

const TaskProcess* ProcessTable::find(const TaskKey& task) const {
  const auto found = by_task_.find(task);
  return found == by_task_.end() ? nullptr : &processes_[found->second];
}

const TaskProcess* ProcessTable::find(LaunchId launch) const {
  const auto found = by_launch_.find(launch);
  return found == by_launch_.end() ? nullptr : &processes_[found->second];
}

bool ProcessTable::alive(const TaskKey& task) const {
  const auto* process = find(task);
  return process != nullptr && !process->until;
}

Resources ProcessTable::live_on(HostNo host) const {
  Resources sum;
  for (const auto& process : processes_) {
    if (process.host == host && !process.until) sum += process.resources;
  }
  return sum;
}

bool ProcessTable::changed_since(HostNo host, Time then) const {
  return std::any_of(processes_.begin(), processes_.end(), [&](const TaskProcess& process) {
    return process.host == host && (process.from >= then || (process.until && *process.until >= then));
  });
}

void ProcessTable::began(TaskProcess process) {
  const auto now = process.from;
  if (by_launch_.contains(process.launch)) {
    record_.blame(now, "a launch is started once",
                  fmt::format("{} starts a second process", name_of(process.launch)));
  } else if (const auto* former = find(process.task)) {
    record_.blame(
        now, "a task is started once",
        fmt::format("{} starts again on {}; its first process began at {} on {}", name_of(process.task),
                    host_name(process.host), clock_text(former->from), host_name(former->host)));
  }
  if (const auto over = said_to_be_over_.find(process.task); over != said_to_be_over_.end()) {
    record_.blame(now, "what a framework is told is true",
                  fmt::format("{} starts on {}, although its framework was told that it is {}",
                              name_of(process.task), host_name(process.host), to_string(over->second)));
  }
  const auto number = processes_.size();
  by_task_[process.task] = number;
  by_launch_[process.launch] = number;
  const auto host = process.host;
  processes_.push_back(std::move(process));
  if (!slots_[host].contains(live_on(host))) {
    record_.blame(now, "no slot is used twice",
                  fmt::format("the processes on {} take more than its slots since {} began", host_name(host),
                              name_of(processes_.back().task)));
  }
}

void ProcessTable::ended(LaunchId launch, Time now, ExitStatus exit, bool by_itself) {
  auto& process = processes_[by_launch_.at(launch)];
  process.until = now;
  process.exit = exit;
  process.by_itself = by_itself;
}

void ProcessTable::rebooted(LaunchId launch, Time now) {
  ended(launch, now, {0, 9}, false);
  processes_[by_launch_.at(launch)].rebooted = true;
}

void ProcessTable::may_end(HostNo host) {
  causes.hosts.insert(host);
  for (const auto& process : processes_) {
    if (process.host == host && !process.until) causes.kills.insert(process.task);
  }
}

void ProcessTable::may_end_no_more(HostNo host) {
  may_end(host);
  causes.hosts.erase(host);
}

void ProcessTable::signalled(LaunchId launch, Time now) {
  const auto* process = find(launch);
  if (process == nullptr || process->until) return;
  if (causes.explain(process->task, process->host)) return;
  record_.blame(now, "nothing ends a task without a cause",
                fmt::format("{} is ended on {}, and neither its framework nor an operator wanted it",
                            name_of(process->task), host_name(process->host)));
}

void ProcessTable::told(const TaskKey& task, TaskState state, TaskReason reason, Time now) {
  if (!is_terminal(state)) return;
  const auto* process = find(task);
  // Whoever asks the wrong agent for a task hears that it is not there.
  const bool sought = reason == TaskReason::never_arrived || reason == TaskReason::agent_lost;
  const bool excused = (reason == TaskReason::framework_gone && causes.given_up.contains(task.first)) ||
                       (sought && causes.misplaced.contains(task)) ||
                       (process != nullptr && barred_.contains(process->host));
  if (excused) return;
  const auto lie = [&](const char* but) {
    record_.blame(now, "what a framework is told is true",
                  fmt::format("{} is told to be {} ({}), but {}", name_of(task), to_string(state),
                              to_string(reason), but));
  };
  said_to_be_over_[task] = state;
  if (process != nullptr && !process->until) return lie("its process is alive");
  if (state == TaskState::finished) {
    if (process == nullptr) return lie("no process of it was ever started");
    if (process->exit != ExitStatus{}) return lie("its process did not exit with code 0");
  }
  if (state == TaskState::failed && reason == TaskReason::exit) {
    if (process == nullptr || process->exit.signal != 0) return lie("its process did not exit by itself");
  }
  if (state == TaskState::failed && reason == TaskReason::signal) {
    if (process == nullptr || !process->by_itself) return lie("proffer itself has ended its process");
  }
  if (state == TaskState::lost && reason == TaskReason::agent_lost && process != nullptr &&
      process->rebooted) {
    return lie("a reboot of its host has ended its process");
  }
  const bool never_ran = state == TaskState::rejected || state == TaskState::dropped;
  if (never_ran && process != nullptr) return lie("a process of it has run");
}

}  // namespace proffer::sim::storm
