#include "frameworks/mapreduce/adopting.hpp"

#include <algorithm>
#include <utility>

#include "frameworks/mapreduce/notes.hpp"

namespace proffer::mapreduce {
namespace {

bool is_there(const Job& job, bool map, std::uint32_t index) { return index < job.tasks.table(map).size(); }

/// Has no later attempt at a task the id of this one, or of one before it.
void note_used(Job& job, const AttemptName& attempt) {
  job.tasks.table(attempt.map).learn(attempt.index, {attempt.attempt + 1});
}

/// Outputs are put down in the order in which they were made: reduces that run were told of them in that
/// order.
void restore_maps(Job& job, const FormerJob& former) {
  std::vector<const MadeMap*> made;
  for (const auto& [index, map] : former.maps) made.push_back(&map);
  std::ranges::sort(made, {}, &MadeMap::order);
  for (const auto* map : made) {
    const auto name = parse_attempt(map->task);
    if (!name || !is_there(job, true, name->index)) continue;
    note_used(job, *name);
    job.tasks.maps.restore(map->task, name->index);
    job.tasks.outputs.add(name->index, map->outcome);
    job.tasks.outputs.skip_to(map->order);
  }
}

void restore_reduces(Job& job, const FormerJob& former) {
  for (const auto& [index, reduce] : former.reduces) {
    const auto name = parse_attempt(reduce.task);
    if (!name || !is_there(job, false, index)) continue;
    note_used(job, *name);
    job.tasks.reduces.restore(reduce.task, index);
    job.tasks.reduce_results[index] = reduce.result;
  }
}

/// Of two attempts at a task the later one goes on: the other was given up, or was slow.
void adopt_attempts(const Turn& turn, Job& job, const FormerJob& former) {
  auto& state = turn.state;
  for (auto task = former.attempts.rbegin(); task != former.attempts.rend(); ++task) {
    const auto name = parse_attempt(task->task);
    if (!name || !is_there(job, name->map, name->index)) continue;
    auto& table = job.tasks.table(name->map);
    note_used(job, *name);
    const auto early = former.early.find(task->task);
    const bool outdated = early != former.early.end() && early->second;
    if (outdated || !table.adopt(task->task, name->index, task->agent, turn.now)) {
      turn.driver.kill(task->task, state.config.kill_grace);
      continue;
    }
    state.launches.launched(task->task, {job.id, name->map, task->agent});
    if (name->map) state.backups.launched(job.id);
    state.pool.adopt(job.id, state.kind(name->map), task->task, task->agent, turn.now);
    if (early != former.early.end()) job.tasks.early.launched(task->task, task->agent);
  }
}

}  // namespace

std::optional<std::string> refuse_former(const Job& job) {
  if (!job.former || !job.former->plan) return {};
  auto now = plan_of(job);
  now.maps = static_cast<std::uint32_t>(job.input.maps.size());
  now.reduces = job.spec.reduce_count();
  if (now == *job.former->plan) return {};
  return "the input has changed since the job began; submit it anew";
}

void adopt(const Turn& turn, Job& job) {
  if (!job.former) return;
  auto& former = *job.former;
  if (!former.plan) return kill_former(turn, job);
  job.counters = former.counters;
  for (const auto& [task, tries] : former.tries) {
    if (is_there(job, task.first, task.second)) job.tasks.table(task.first).learn(task.second, tries);
  }
  for (const auto& task : former.used) {
    const auto name = parse_attempt(task);
    if (name && is_there(job, name->map, name->index)) note_used(job, *name);
  }
  restore_maps(job, former);
  restore_reduces(job, former);
  adopt_attempts(turn, job, former);
  job.output.publish_unsure = true;  // should all be done, it may have been published as well
}

void kill_former(const Turn& turn, const Job& job) {
  if (!job.former) return;
  for (const auto& task : job.former->attempts) {
    turn.driver.kill(task.task, turn.state.config.kill_grace);
  }
}

}  // namespace proffer::mapreduce
