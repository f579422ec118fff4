#include "frameworks/mapreduce/cached.hpp"

namespace proffer::mapreduce {
namespace {

/// Jobs with that file have other holders than before.
void prefer_holders(const Turn& turn, BlockId file) {
  auto& state = turn.state;
  for (const bool map : {true, false}) {
    bool nearer = false;
    for (const auto id : state.line.in_pool()) {
      const auto& input = state.jobs.at(id).input;
      if (!input.caches(file)) continue;
      nearer |= state.pool.prefer_all(id, state.kind(map), state.holders.of_all(input.cached));
    }
    if (nearer) state.replies.requests().tasks_added(turn.driver, state.kind(map));
  }
}

}  // namespace

void join_holders(State& state, const Job& job) {
  const auto& cached = job.input.cached;
  if (cached.empty()) return;
  for (const bool map : {true, false}) {
    state.pool.prefer_all(job.id, state.kind(map), state.holders.of_all(cached));
  }
  for (const auto& file : cached) {
    if (!file.blocks.empty()) state.launches.uses(job.id, file.blocks.front().block);
  }
}

void note_holder(const Turn& turn, const Job& job, AgentId agent, TaskState task) {
  auto& holders = turn.state.holders;
  if (task == TaskState::unreachable || task == TaskState::lost) {
    for (const auto file : holders.forget(agent)) prefer_holders(turn, file);
    return;
  }
  // A task fetches the files before its command runs, and later tasks there wait for that. What failed may
  // have failed for want of a file.
  const bool holds = task == TaskState::running || task == TaskState::finished;
  if (!holds && task != TaskState::failed) return;
  for (const auto& file : job.input.cached) {
    if (file.blocks.empty()) continue;
    const auto id = file.blocks.front().block;
    if (holds ? holders.add(id, agent) : holders.remove(id, agent)) prefer_holders(turn, id);
  }
}

}  // namespace proffer::mapreduce
