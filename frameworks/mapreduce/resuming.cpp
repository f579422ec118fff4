#include "frameworks/mapreduce/resuming.hpp"

#include <algorithm>
#include <utility>

#include "frameworks/mapreduce/feeding.hpp"
#include "frameworks/mapreduce/formers.hpp"
#include "frameworks/mapreduce/notes.hpp"
#include "frameworks/mapreduce/statuses.hpp"

namespace proffer::mapreduce {
namespace {

bool is_planned(const Job& job) { return job.phase != JobPhase::queued && job.phase != JobPhase::planning; }

/// The job that a former process has submitted, perhaps submitted here again. Its token is the former one's:
/// outputs that are there are shown to nobody else.
Job& job_of(State& state, JobId id, JobSpec spec) {
  const auto at = state.jobs.find(id);
  if (at != state.jobs.end()) {
    at->second.spec.token = spec.token;
    return at->second;
  }
  auto formers = find_formers(state.jobs, id, spec);
  state.line.add(id);
  auto& job = state.jobs.emplace(id, Job(id, std::move(spec))).first->second;
  if (formers) {
    job.formers = std::move(*formers);
  } else {
    state.line.kill(id, formers.error().message);
  }
  return job;
}

void restore_ended(const Turn& turn, JobId id, EndedJob ended) {
  auto& state = turn.state;
  if (state.line.active().contains(id)) state.line.end(id);
  JobSpec spec;
  spec.name = std::move(ended.name);
  spec.output = std::move(ended.output);
  state.jobs.erase(id);
  auto& job = state.jobs.emplace(id, Job(id, std::move(spec))).first->second;
  job.phase = ended.ok ? JobPhase::succeeded : JobPhase::failed;
  job.output.claimed = job.output.published = ended.ok;
  job.why = std::move(ended.why);
  job.counters = std::move(ended.counters);
  job.times.submitted = turn.now;
  job.times.finished = turn.now;
}

void restore(const Turn& turn, JobId id, JobNotes notes) {
  if (notes.end) return restore_ended(turn, id, std::move(*notes.end));
  if (!notes.spec) {
    return restore_ended(turn, id, {{}, {}, false, "nothing was kept of it with which it could go on", {}});
  }
  auto& job = job_of(turn.state, id, std::move(*notes.spec));
  job.output.claimed = notes.former.plan.has_value();
  if (!notes.former.failing.empty()) turn.state.line.kill(id, notes.former.failing);
  job.former = std::move(notes.former);
}

/// Tasks of jobs that do not go on are nobody's.
void hand_out(const Turn& turn, std::span<const ResumedTask> tasks) {
  for (const auto& task : tasks) {
    const auto name = parse_attempt(task.task);
    const auto job = name ? turn.state.jobs.find(name->job) : turn.state.jobs.end();
    const bool goes_on = job != turn.state.jobs.end() && job->second.former;
    if (is_terminal(task.state)) {
      if (goes_on) job->second.former->used.push_back(task.task);
    } else if (goes_on) {
      job->second.former->attempts.push_back(task);
    } else {
      turn.driver.kill(task.task, turn.state.config.kill_grace);
    }
  }
}

bool was_running(const FormerJob& former, const TaskId& task) {
  return std::ranges::any_of(former.attempts, [&](const ResumedTask& one) {
    return one.task == task && one.state == TaskState::running;
  });
}

/// A reduce that had been told of some outputs only listens already, and is told of all.
void feed_early(const Turn& turn, Job& job, const FormerJob& former) {
  for (const auto& [task, outdated] : former.early) {
    if (was_running(former, task) && job.phase == JobPhase::running) reduce_runs(turn, job, task);
  }
}

}  // namespace

void resume(const Turn& turn, std::span<const ResumedTask> tasks,
            const std::map<std::string, std::string>& notes) {
  auto& state = turn.state;
  auto found = read_notes(notes);
  state.connection.former_framework = found.framework;
  for (const auto& agent : found.agents) {
    state.agents.offered(agent);
    state.noted_agents[agent.id] = agent;
  }
  const auto newest = found.jobs.empty() ? 0 : found.jobs.rbegin()->first.value;
  for (std::uint32_t id = 1; id <= newest; ++id) restore(turn, {id}, std::move(found.jobs[{id}]));
  hand_out(turn, tasks);
}

void hold_back(const Turn& turn, const TaskStatus& status) {
  const auto name = parse_attempt(status.task);
  const auto at = name ? turn.state.jobs.find(name->job) : turn.state.jobs.end();
  if (at == turn.state.jobs.end() || !at->second.former || is_planned(at->second)) return;
  at->second.former->held.push_back(status);
  if (is_terminal(status.state)) turn.driver.hold(status.task);
}

void catch_up(const Turn& turn) {
  for (auto& [id, job] : turn.state.jobs) {
    if (!job.former || !is_planned(job)) continue;
    const auto former = *std::exchange(job.former, {});
    feed_early(turn, job, former);
    for (const auto& status : former.held) {
      update(turn, status);
      if (is_terminal(status.state)) turn.driver.acknowledge(status.task);
    }
  }
}

}  // namespace proffer::mapreduce
