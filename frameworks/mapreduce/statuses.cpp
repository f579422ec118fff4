// Tasks that ended, and what follows for their job.
#include <charconv>
#include <utility>

#include "frameworks/mapreduce/impl.hpp"
#include "frameworks/mapreduce/tally.hpp"
#include "proffer/check.hpp"
#include "proffer/frameworks/task_said.hpp"

namespace proffer {
namespace {

/// After so many of one task its failures count again, or a store that never works would never be told of,
/// and a task that fills the disks of its agents would go on for ever.
constexpr std::uint32_t kMostExcuses = 20;

/// Whether running it once more would be a failure of the task rather than bad luck of its agent.
bool is_its_own_fault(const TaskStatus& status) {
  if (status.state == TaskState::failed) return !is_agents_fault(status.reason);
  return status.state == TaskState::rejected &&
         (status.reason == TaskReason::invalid || status.reason == TaskReason::too_large ||
          status.reason == TaskReason::duplicate_id);
}

std::string how_it_ended(const TaskStatus& status) {
  if (status.exit.signal != 0) return "ended by signal " + std::to_string(status.exit.signal);
  if (status.reason == TaskReason::exit) return "exit code " + std::to_string(status.exit.code);
  return std::string(to_string(status.state)) + ", " + std::string(to_string(status.reason));
}

std::string why_failed(const mapreduce::Attempt& attempt, const TaskStatus& status) {
  if (!attempt.failure.empty()) return attempt.failure;
  if (!status.message.empty()) return status.message;
  return how_it_ended(status);
}

/// It was never launched after all.
void uncount(mapreduce::Job& job, bool map, const mapreduce::Attempt& attempt) {
  auto& counters = job.launches;
  --(map ? counters.launched_maps : counters.launched_reduces);
  if (map) --mapreduce::maps_at(counters, attempt.locality);
}

template <class Wanted>
const Wanted* result_of(const TaskStatus& status) {
  return status.result ? std::get_if<Wanted>(status.result.get()) : nullptr;
}

}  // namespace

void MapReduce::Impl::update(Driver& driver, const TaskStatus& status) {
  const auto owner = owners.find(status.task);
  if (owner == owners.end()) return;
  const auto& known = jobs.at(owner->second.job);
  const auto agent = known.table(owner->second.map).attempts().at(status.task).agent;
  note_holder(driver, known, agent, status.state);
  if (status.reason == TaskReason::agent_lost) gone.insert(agent);
  if (status.state == TaskState::unreachable) return unreachable(driver, status, owner->second);
  if (status.state == TaskState::running && !owner->second.map) {
    return reduce_runs(driver, jobs.at(owner->second.job), status.task);
  }
  if (!is_terminal(status.state)) return;
  const auto [id, map] = owner->second;
  owners.erase(owner);
  auto& job = jobs.at(id);
  pool.ended(id, kind(map), status.task);
  answer->declare(driver);
  const auto attempt = job.table(map).end(status.task);
  PROFFER_CHECK(attempt, "a launched attempt is not in its table");
  job.early.remove(status.task);
  if (config.balance_long_tasks) {
    const bool well = status.state == TaskState::finished;
    long_tasks.ended(id, attempt->agent, well ? status.run_time : Duration::zero());
  }
  balanced = true;
  if (job.phase == JobPhase::running && attempt->current) {
    if (status.state == TaskState::finished) {
      ended_well(driver, job, map, *attempt, status);
    } else {
      ended_badly(driver, job, map, *attempt, status);
    }
  }
  if (!job.ended()) advance(driver, job);
}

/// Its agent may be silent for a moment or for ever; the task is made elsewhere, and killed where it is.
void MapReduce::Impl::unreachable(Driver& driver, const TaskStatus& status, Owner owner) {
  auto& job = jobs.at(owner.job);
  if (job.phase != JobPhase::running) return;
  give_up(driver, job, owner.map, status.task);
  advance(driver, job);
}

/// It is made again from its start.
void MapReduce::Impl::give_up(Driver& driver, Job& job, bool map, const TaskId& attempt) {
  job.early.remove(attempt);
  auto& table = job.table(map);
  if (!table.attempts().at(attempt).current) return;
  ++(map ? job.launches.killed_maps : job.launches.killed_reduces);
  table.abandon(attempt);
  driver.kill(attempt, config.kill_grace);
}

void MapReduce::Impl::ended_well(Driver& driver, Job& job, bool map, const Attempt& attempt,
                                 const TaskStatus& status) {
  auto& times = job.launches.times;
  const auto* mapped = result_of<MapResult>(status);
  const auto* reduced = result_of<ReduceResult>(status);
  const bool complete =
      map ? mapped && mapped->partitions.size() == (job.spec.synthetic ? 0 : job.spec.reduce_count())
          : reduced && reduced->missing.empty();
  if (!complete) {
    auto failed = status;
    failed.state = TaskState::failed;
    failed.message = "it ended without saying what it has made";
    return ended_badly(driver, job, map, attempt, failed);
  }
  job.table(map).win(attempt.index, status.task);
  if (!map) {
    job.reduce_outcomes[attempt.index] = *reduced;
    ++times.reduces;
    times.reduce_time += status.run_time;
    return;
  }
  job.map_outcomes[attempt.index] = {attempt.agent, *mapped};
  const bool is_local = attempt.locality == Locality::node;
  ++(is_local ? times.local_maps : times.other_maps);
  (is_local ? times.local_map_time : times.other_map_time) += status.run_time;
  map_ended(driver, job, attempt.index);
}

void MapReduce::Impl::ended_badly(Driver& driver, Job& job, bool map, const Attempt& attempt,
                                  const TaskStatus& status) {
  auto& counters = job.launches;
  if (status.state == TaskState::dropped || status.state == TaskState::rejected) uncount(job, map, attempt);
  const bool by_agent = status.state == TaskState::failed && is_agents_fault(status.reason);
  const bool own = is_its_own_fault(status) || (by_agent && too_often_excused(job, map, attempt));
  if (!own || (!map && lost_outputs(driver, job, attempt, status)) || is_excused(job, map, attempt)) {
    if (status.state != TaskState::dropped) ++(map ? counters.killed_maps : counters.killed_reduces);
    if (!by_agent) return;
    if (observer) observer->task_failed(job.id, status.task, why_failed(attempt, status));
    return try_elsewhere(driver, job, map, attempt);
  }
  ++(map ? counters.failed_maps : counters.failed_reduces);
  const auto why = why_failed(attempt, status);
  const auto failures = job.table(map).count_failure(attempt.index);
  if (failures >= config.max_attempts) {
    return fail(driver, job,
                "task " + status.task.value + " failed, as did " + std::to_string(failures - 1) +
                    " attempts before it: " + why);
  }
  if (observer) observer->task_failed(job.id, status.task, why);
  try_elsewhere(driver, job, map, attempt);
}

void MapReduce::Impl::try_elsewhere(Driver& driver, Job& job, bool map, const Attempt& attempt) {
  if (!map && !may_reduce(job)) return;
  open_elsewhere(driver, job, map, attempt, config.avoid_failed_agent);
}

void MapReduce::Impl::open_elsewhere(Driver& driver, Job& job, bool map, const Attempt& failed,
                                     Duration avoid_for) {
  open(driver, job, map, failed.index);
  if (agents.size() <= 1) return;
  avoided.add(job.table(map).current(failed.index), {job.id, map, failed.agent, driver.now() + avoid_for});
}

bool MapReduce::Impl::is_excused(Job& job, bool map, const Attempt& attempt) {
  return attempt.excused && !too_often_excused(job, map, attempt);
}

bool MapReduce::Impl::too_often_excused(Job& job, bool map, const Attempt& attempt) {
  return job.table(map).count_excuse(attempt.index) > kMostExcuses;
}

mapreduce::Complaint MapReduce::Impl::complaint_of(const Job& job, const Attempt& attempt,
                                                   const ReduceResult& result) const {
  mapreduce::Complaint complaint{attempt.index, attempt.agent, {}, {}, true};
  for (const auto& map : result.missing) {
    const auto index = job.maps.won_by(map);
    if (index) complaint.missing[*index] = job.map_outcomes.at(*index).agent;
  }
  for (const auto& [index, outcome] : job.map_outcomes) complaint.holders.insert(outcome.agent);
  for (const auto& [id, other] : job.reduces.attempts()) complaint.alone &= !other.current;
  return complaint;
}

bool MapReduce::Impl::lost_outputs(Driver& driver, Job& job, const Attempt& attempt,
                                   const TaskStatus& status) {
  const auto* result = result_of<ReduceResult>(status);
  if (!result || result->missing.empty()) return false;
  const auto complaint = complaint_of(job, attempt, *result);
  const auto blame = job.complaints.judge(complaint, gone);
  for (const auto index : blame.maps) {
    lose_map(driver, job, index);
    if (job.phase != JobPhase::running) return true;
  }
  // When all of them have been made again already, this attempt had merely been told of the old ones; that
  // cannot go on for long.
  if (job.reduces.count_loss(attempt.index) > config.max_attempts * (job.maps.size() + 1)) return false;
  if (blame.maps.empty() && !complaint.missing.empty() && may_reduce(job)) {
    open_elsewhere(driver, job, false, attempt,
                   blame.own_agent ? config.avoid_sick_agent : config.avoid_failed_agent);
  }
  return true;
}

/// Reduces that have not been launched need the new output; those that run find out by themselves.
void MapReduce::Impl::lose_map(Driver& driver, Job& job, std::uint32_t index) {
  const auto id = job.maps.current(index);
  job.maps.lose(index);
  job.map_outcomes.erase(index);
  job.complaints.forget(index);
  map_lost(driver, job, index);
  ++job.launches.killed_maps;
  close_all(job, false);
  const auto losses = job.maps.count_loss(index);
  if (losses >= config.max_attempts) {
    fail(driver, job,
         "the output of task " + id.value + " could not be fetched, nor that of " +
             std::to_string(losses - 1) + " attempts before it");
  }
}

/// The allocator has given the framework up and its agents have deleted what it made.
void MapReduce::Impl::lose_all_outputs(Driver& driver) {
  for (auto& [id, job] : jobs) {
    if (job.phase != JobPhase::running || job.map_only() || job.reduces.all_done()) continue;
    while (!job.map_outcomes.empty() && job.phase == JobPhase::running) {
      lose_map(driver, job, job.map_outcomes.begin()->first);
    }
    advance(driver, job);
  }
}

void MapReduce::Impl::advance(Driver& driver, Job& job) {
  if (job.phase == JobPhase::failing) {
    if (job.cleaning) return;
    const bool all_ended = job.maps.attempts().empty() && job.reduces.attempts().empty();
    if (all_ended || (job.give_up_waiting && *job.give_up_waiting <= driver.now())) clean_up(driver, job);
    return;
  }
  if (job.phase != JobPhase::running) return;
  const auto open_waiting = [&](bool map) {
    const auto waiting = job.table(map).waiting();
    for (const auto index : waiting) put_up(driver, job, map, index);
    if (!waiting.empty()) answer->tasks_added(driver, kind(map));
  };
  // Maps whose output was lost are of no use once all reduces are done.
  if (!job.reduces.all_done() || job.map_only()) open_waiting(true);
  if (may_reduce(job) && !job.reduces.waiting().empty()) {
    measure_reduces(driver, job);
    if (job.phase != JobPhase::running) return;
    open_waiting(false);
  }
  if (job.map_only() ? job.maps.all_done() : job.reduces.all_done()) commit(driver, job);
}

void MapReduce::Impl::said(Driver& driver, const TaskId& task, const std::string& payload) {
  const auto owner = owners.find(task);
  auto heard = parse_said(payload);
  if (owner == owners.end() || !heard) return;
  auto& job = jobs.at(owner->second.job);
  if (heard->what == TaskSaid::What::failure) {
    job.table(owner->second.map).note_failure(task, std::move(heard->text));
  } else if (heard->what == TaskSaid::What::excuse) {
    job.table(owner->second.map).excuse(task);
  } else if (heard->what == TaskSaid::What::wants && job.phase == JobPhase::running) {
    std::uint32_t from = 0;
    const auto [end, error] =
        std::from_chars(heard->text.data(), heard->text.data() + heard->text.size(), from);
    if (error == std::errc{}) reduce_wants(driver, job, task, from);
  }
}

}  // namespace proffer
