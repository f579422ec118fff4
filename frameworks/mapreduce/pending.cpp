#include "frameworks/mapreduce/pending.hpp"

#include <algorithm>
#include <utility>

namespace proffer::mapreduce {
namespace {

/// The bytes that a task reads first where nothing of them is kept.
std::uint64_t read_first(const Job& job) {
  std::uint64_t bytes = 0;
  for (const auto& file : job.input.cached) bytes += file.bytes();
  return bytes;
}

/// Some of the agents with all cached files of a job: for event logs, which would grow with tasks times
/// agents.
std::vector<AgentId> first_holders(const State& state, const Job& job) {
  constexpr std::size_t kShown = 20;
  auto all = state.holders.of_all(job.input.cached);
  all.resize(std::min(all.size(), kShown));
  return all;
}

}  // namespace

PendingTask pending_map(const State& state, const Job& job, std::uint32_t index) {
  PendingTask task{job.tasks.maps.current(index), state.kind(true), {}, {}, read_first(job)};
  if (job.input.maps.at(index).blocks.empty()) return task;
  const auto& block = job.input.maps.at(index).blocks.front();
  task.bytes = block.length;
  for (const auto& replica : block.replicas) {
    task.nodes.push_back(replica.agent);
    const bool is_new = std::find(task.racks.begin(), task.racks.end(), replica.rack) == task.racks.end();
    if (is_new && !replica.rack.empty()) task.racks.push_back(replica.rack);
  }
  return task;
}

void put_up(const Turn& turn, Job& job, bool map, std::uint32_t index) {
  auto& state = turn.state;
  const auto id = job.tasks.table(map).open(index);
  const auto kind = state.kind(map);
  auto task = map ? pending_map(state, job, index) : PendingTask{id, kind, {}, {}, read_first(job)};
  task.since = turn.now;
  turn.driver.trace(
      TaskQueued{job.id, id, kind, task.nodes.empty() ? first_holders(state, job) : task.nodes});
  state.pool.add(job.id, std::move(task));
}

void open_waiting(const Turn& turn, Job& job, bool map) {
  const auto waiting = job.tasks.table(map).waiting();
  for (const auto index : waiting) put_up(turn, job, map, index);
  if (!waiting.empty()) turn.state.replies.requests().tasks_added(turn.driver, turn.state.kind(map));
}

void open_elsewhere(const Turn& turn, Job& job, bool map, const Attempt& failed, Duration avoid_for) {
  put_up(turn, job, map, failed.index);
  auto& replies = turn.state.replies;
  replies.requests().tasks_added(turn.driver, turn.state.kind(map));
  if (!turn.state.agents.has_several()) return;
  replies.avoid(job.tasks.table(map).current(failed.index),
                {job.id, turn.state.kind(map), failed.agent, turn.now + avoid_for});
}

void put_up_backup(const Turn& turn, Job& job, std::uint32_t index, const std::vector<AgentId>& but_on) {
  auto& state = turn.state;
  const auto kind = state.kind(true);
  const auto first = job.tasks.maps.current(index);
  const auto id = job.tasks.maps.open_backup(index);
  state.backups.opened(id);
  turn.driver.trace(TaskQueued{job.id, id, kind, {}, first});
  state.pool.add(job.id, {id, kind, {}, {}, pending_map(state, job, index).bytes, turn.now});
  for (const auto agent : but_on) state.replies.avoid(id, {job.id, kind, agent, {}});
  state.replies.requests().tasks_added(turn.driver, kind);
}

void take_back_backup(State& state, Job& job, bool map, std::uint32_t index) {
  auto& table = job.tasks.table(map);
  const auto id = table.backup(index);
  if (!table.opened().contains(id)) return;
  state.replies.withdraw(job.id, id);
  table.close(id);
  state.backups.closed(id);
}

void close_all(State& state, Job& job, bool map) {
  auto& table = job.tasks.table(map);
  while (!table.opened().empty()) {
    const auto id = table.opened().begin()->first;
    state.replies.withdraw(job.id, id);
    table.close(id);
    state.backups.closed(id);
  }
}

void give_up(const Turn& turn, Job& job, bool map, const TaskId& attempt) {
  job.tasks.early.remove(attempt);
  auto& table = job.tasks.table(map);
  const auto& given_up = table.attempts().at(attempt);
  if (!given_up.current) return;
  take_back_backup(turn.state, job, map, given_up.index);
  ++(map ? job.counters.killed_maps : job.counters.killed_reduces);
  if (given_up.backup) ++job.counters.backups.killed;
  table.abandon(attempt);
  turn.state.backups.look_now(job.id);
  turn.driver.kill(attempt, turn.state.config.kill_grace);
}

void break_up(const Turn& turn, Job& job) {
  auto& maps = job.tasks.maps;
  if (maps.waiting().empty() && maps.open_tasks().empty()) return;
  const auto attempts = maps.attempts();  // a copy: those that are given up change
  for (const auto& [id, attempt] : attempts) give_up(turn, job, true, id);
}

}  // namespace proffer::mapreduce
