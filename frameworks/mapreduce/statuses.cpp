#include "frameworks/mapreduce/statuses.hpp"

#include <charconv>
#include <utility>

#include "frameworks/mapreduce/cached.hpp"
#include "frameworks/mapreduce/feeding.hpp"
#include "frameworks/mapreduce/notes.hpp"
#include "frameworks/mapreduce/pending.hpp"
#include "frameworks/mapreduce/phases.hpp"
#include "frameworks/mapreduce/speculating.hpp"
#include "frameworks/mapreduce/tally.hpp"
#include "frameworks/mapreduce/verdicts.hpp"
#include "proffer/check.hpp"
#include "proffer/frameworks/task_said.hpp"

namespace proffer::mapreduce {
namespace {

/// A launched attempt that has just ended.
struct Ended {
  Job& job;
  bool map;
  const Attempt& attempt;
  const TaskStatus& status;
};

/// An attempt that counted as launched never was, after all.
void uncount(const Ended& end) {
  auto& counters = end.job.counters;
  --(end.map ? counters.launched_maps : counters.launched_reduces);
  if (end.map) --maps_at(counters, end.attempt.locality);
  if (end.attempt.backup) --counters.backups.launched;
}

/// Reduces that have not been launched need the new output; those that run find out by themselves.
void lose_map(const Turn& turn, Job& job, std::uint32_t index) {
  auto& tasks = job.tasks;
  const auto id = tasks.maps.current(index);
  for (const auto& attempt : tasks.lose_map(index)) give_up(turn, job, false, attempt);
  ++job.counters.killed_maps;
  close_all(turn.state, job, false);
  const auto losses = ++tasks.maps.tries(index).losses;
  forget_made(turn, job, index);
  for (const auto& reduce : tasks.early.outdated()) note_early(turn, job, reduce, true);
  note_tries(turn, job, true, index);
  if (losses >= turn.state.config.max_attempts) {
    fail(turn, job,
         "the output of task " + id.value + " could not be fetched, nor that of " +
             std::to_string(losses - 1) + " attempts before it");
  }
}

/// True when the reduce ended for want of maps' outputs; then these are made again, or it is elsewhere.
bool lost_outputs(const Turn& turn, const Ended& end) {
  const auto* result = result_of<ReduceResult>(end.status);
  if (!result || result->missing.empty()) return false;
  auto& job = end.job;
  const auto& config = turn.state.config;
  const auto complaint = job.tasks.complaint_of(end.attempt, result->missing);
  const auto blame = job.tasks.outputs.judge(complaint, turn.state.agents.gone());
  for (const auto index : blame.maps) {
    lose_map(turn, job, index);
    if (job.phase != JobPhase::running) return true;
  }
  // The attempt had merely been told of old outputs, when all of them have been made again already; that
  // cannot go on for long.
  const auto most = config.max_attempts * (job.tasks.maps.size() + 1);
  if (++job.tasks.reduces.tries(end.attempt.index).losses > most) return false;
  const bool is_believed = !blame.maps.empty() || complaint.missing.empty();
  if (!is_believed && job.tasks.may_reduce(config.slow_start_milli)) {
    open_elsewhere(turn, job, false, end.attempt,
                   blame.own_agent ? config.avoid_sick_agent : config.avoid_failed_agent);
  }
  return true;
}

/// Makes what the attempt was to make again, for a while not on its agent; unless another attempt does.
void try_elsewhere(const Turn& turn, const Ended& end) {
  const auto& config = turn.state.config;
  if (end.job.tasks.table(end.map).runs(end.attempt.index)) return;
  if (!end.map && !end.job.tasks.may_reduce(config.slow_start_milli)) return;
  open_elsewhere(turn, end.job, end.map, end.attempt, config.avoid_failed_agent);
}

/// True when the attempt said that the store is to blame, and that is still taken.
bool is_excused(const Ended& end) {
  return end.attempt.excused && !too_often_excused(end.job, end.map, end.attempt);
}

/// The task was to blame itself: its job fails when that has been too often.
void count_failure(const Turn& turn, const Ended& end) {
  auto& job = end.job;
  ++(end.map ? job.counters.failed_maps : job.counters.failed_reduces);
  const auto why = why_failed(end.attempt, end.status);
  const auto failures = ++job.tasks.table(end.map).tries(end.attempt.index).failures;
  if (failures >= turn.state.config.max_attempts) {
    return fail(turn, job,
                "task " + end.status.task.value + " failed, as did " + std::to_string(failures - 1) +
                    " attempts before it: " + why);
  }
  turn.state.reporter.task_failed(job.id, end.status.task, why);
  try_elsewhere(turn, end);
}

void ended_badly(const Turn& turn, const Ended& end) {
  auto& counters = end.job.counters;
  const auto& status = end.status;
  if (status.state == TaskState::dropped || status.state == TaskState::rejected) uncount(end);
  const bool by_agent = is_by_agent(status);
  // The order of these is part of the rule: each question after an excuse uses one up, so an end that needs
  // none must not ask.
  const bool own = is_its_own_fault(status) || (by_agent && too_often_excused(end.job, end.map, end.attempt));
  const bool forgiven = !own || (!end.map && lost_outputs(turn, end)) || is_excused(end);
  if (!forgiven) return count_failure(turn, end);
  if (status.state != TaskState::dropped) ++(end.map ? counters.killed_maps : counters.killed_reduces);
  if (!by_agent) return;
  turn.state.reporter.task_failed(end.job.id, status.task, why_failed(end.attempt, status));
  try_elsewhere(turn, end);
}

void reduce_ended_well(const Ended& end) {
  end.job.tasks.reduce_results[end.attempt.index] = *result_of<ReduceResult>(end.status);
  auto& times = end.job.counters.times;
  ++times.reduces;
  times.reduce_time += end.status.run_time;
}

void map_ended_well(const Turn& turn, const Ended& end) {
  auto& times = end.job.counters.times;
  end.job.tasks.outputs.add(end.attempt.index, {end.attempt.agent, *result_of<MapResult>(end.status)});
  const bool is_local = end.attempt.locality == Locality::node;
  ++(is_local ? times.local_maps : times.other_maps);
  (is_local ? times.local_map_time : times.other_map_time) += end.status.run_time;
  note_map_time(turn.state, end.job, end.attempt.agent, end.status.run_time);
  map_ended(turn, end.job);
}

void ended_well(const Turn& turn, const Ended& end) {
  if (!is_complete(end.job, end.map, end.status)) {
    auto failed = end.status;
    failed.state = TaskState::failed;
    failed.message = "it ended without saying what it has made";
    return ended_badly(turn, {end.job, end.map, end.attempt, failed});
  }
  auto& table = end.job.tasks.table(end.map);
  // Of two attempts the other comes too late, whatever it may still say.
  if (const auto index = end.attempt.index; table.runs(index)) {
    give_up(turn, end.job, end.map, TaskId{table.current(index)});
  }
  if (end.attempt.backup) ++end.job.counters.backups.won;
  table.win(end.attempt.index, end.status.task);
  if (end.map) {
    map_ended_well(turn, end);
  } else {
    reduce_ended_well(end);
  }
  note_made(turn, end.job, end.map, end.attempt.index);
}

/// A task's agent may be silent for a moment or for ever; the task is made elsewhere, and killed where it is.
void unreachable(const Turn& turn, Job& job, bool map, const TaskId& task) {
  if (job.phase != JobPhase::running) return;
  give_up(turn, job, map, task);
  advance(turn, job);
}

void ended(const Turn& turn, Job& job, bool map, const TaskStatus& status) {
  auto& state = turn.state;
  const bool well = status.state == TaskState::finished;
  state.launches.ended(status.task, well ? status.run_time : Duration::zero());
  auto& table = job.tasks.table(map);
  if (const auto& ending = table.attempts().at(status.task); ending.current) {
    take_back_backup(state, job, map, ending.index);  // before the demand is declared
  }
  state.replies.requests().ended(turn.driver, job.id, state.kind(map), status);
  state.replies.requests().declare(turn.driver);
  const auto attempt = table.end(status.task);
  PROFFER_CHECK(attempt, "a launched attempt is not in its table");
  if (map) state.backups.ended(job.id, status.task);
  if (job.tasks.early.find(status.task) != nullptr) forget_early(turn, job, status.task);
  job.tasks.early.remove(status.task);
  if (job.phase == JobPhase::running && attempt->current) {
    const Ended end{job, map, *attempt, status};
    well ? ended_well(turn, end) : ended_badly(turn, end);
    if (table.tries(attempt->index).any()) note_tries(turn, job, map, attempt->index);
    note_counters(turn, job);
  }
  if (!job.ended()) advance(turn, job);
}

}  // namespace

void update(const Turn& turn, const TaskStatus& status) {
  auto& state = turn.state;
  const auto owner = state.launches.owner_of(status.task);
  if (!owner) return;
  auto& job = state.jobs.at(owner->job);
  note_holder(turn, job, owner->agent, status.state);
  if (status.reason == TaskReason::agent_lost) state.agents.lost(owner->agent);
  if (status.state == TaskState::unreachable) return unreachable(turn, job, owner->map, status.task);
  if (status.state == TaskState::running && !owner->map) return reduce_runs(turn, job, status.task);
  if (is_terminal(status.state)) ended(turn, job, owner->map, status);
}

void lose_all_outputs(const Turn& turn) {
  for (auto& [id, job] : turn.state.jobs) {
    if (job.former && !job.map_only()) job.former->maps.clear();
    const auto& tasks = job.tasks;
    if (job.phase != JobPhase::running || job.map_only() || tasks.reduces.all_done()) continue;
    while (!tasks.outputs.empty() && job.phase == JobPhase::running) {
      lose_map(turn, job, tasks.outputs.by_map().begin()->first);
    }
    advance(turn, job);
  }
}

void said(const Turn& turn, const TaskId& task, const std::string& payload) {
  const auto owner = turn.state.launches.owner_of(task);
  auto heard = parse_said(payload);
  if (!owner || !heard) return;
  auto& job = turn.state.jobs.at(owner->job);
  auto& table = job.tasks.table(owner->map);
  if (heard->what == TaskSaid::What::failure) {
    table.note_failure(task, std::move(heard->text));
  } else if (heard->what == TaskSaid::What::excuse) {
    table.excuse(task);
  } else if (heard->what == TaskSaid::What::wants && job.phase == JobPhase::running) {
    std::uint32_t from = 0;
    const auto [end, error] =
        std::from_chars(heard->text.data(), heard->text.data() + heard->text.size(), from);
    if (error == std::errc{}) reduce_wants(turn, job, task, from);
  }
}

}  // namespace proffer::mapreduce
