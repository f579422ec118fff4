#include "frameworks/mapreduce/hot_blocks.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "frameworks/mapreduce/pending.hpp"
#include "frameworks/mapreduce/work_maker.hpp"

namespace proffer::mapreduce {
namespace {

void renew(std::vector<BlockRead>& blocks, const BlockPlaces& places) {
  for (auto& block : blocks) {
    if (block.block == places.block) block.replicas = places.replicas;
  }
}

/// The places from which files that agents keep are read.
void renew_cached(Job& job, const BlockPlaces& places) {
  for (auto& file : job.input.cached) renew(file.blocks, places);
}

/// The same for all blocks of a job that is still planned, which has no tasks yet. Its inputs grow, so that
/// nobody knows who reads what.
void renew_planned(Job& job, const ReplicasChanged& changed) {
  std::map<BlockId, const BlockPlaces*> places;
  for (const auto& one : changed.blocks) {
    if (one.replicas.empty()) continue;
    places[one.block] = &one;
    renew_cached(job, one);
  }
  for (auto& input : job.input.maps) {
    for (auto& block : input.blocks) {
      if (const auto at = places.find(block.block); at != places.end()) {
        block.replicas = at->second->replicas;
      }
    }
  }
}

/// True when a pending task would find its block on another node now.
bool prefer_anew(State& state, const Job& job, std::uint32_t index) {
  if (!job.tasks.maps.open_tasks().contains(index)) return false;
  auto task = pending_map(state, job, index);
  return state.pool.prefer(job.id, state.kind(true), task.id, std::move(task.nodes), std::move(task.racks));
}

/// True when a pending task of the job would find the block on another node now.
bool move_block(State& state, Job& job, const BlockPlaces& places) {
  if (places.replicas.empty()) return false;
  renew_cached(job, places);
  bool nearer = false;
  for (const auto& [id, index] : job.input.readers.of(places.block, job.input.maps)) {
    auto& input = job.input.maps.at(index);
    renew(input.blocks, places);
    if (input.blocks.front().block == places.block) nearer |= prefer_anew(state, job, index);
    job.tasks.map_bytes = std::max(job.tasks.map_bytes, map_bytes(job, index));
  }
  return nearer;
}

}  // namespace

void note_wish(const Turn& turn, const UseWanted& wanted) {
  if (turn.state.uses.want(wanted, turn.now)) turn.driver.tell_catalog({});
}

void note_use(State& state, const Job& job, std::uint32_t index, const Placement& placed, AgentId agent) {
  const auto& blocks = job.input.maps.at(index).blocks;
  if (blocks.empty()) return;
  const bool is_here = placed.locality == Locality::node;
  state.uses.launched(job.id, blocks.front().block, agent, is_here, placed.waited);
}

void report_use(const Turn& turn) {
  auto& state = turn.state;
  // A job that waits and launches nothing is what replicas are made for, so its delay counts at each report
  // until they are there.
  for (const auto id : state.line.active()) {
    const auto& job = state.jobs.at(id);
    const auto by_now = state.replies.policy().waited(id, state.kind(true), state.pool, turn.now);
    const auto waited = state.uses.delay_of_pending(id, by_now);
    if (waited <= Duration::zero()) continue;
    for (const auto index : job.tasks.maps.open_tasks()) {
      const auto& blocks = job.input.maps.at(index).blocks;
      if (!blocks.empty()) state.uses.pending(blocks.front().block, waited);
    }
  }
  for (auto& page : state.uses.take(turn.now)) turn.driver.tell_catalog(std::move(page));
  if (state.line.active().empty()) state.uses.stop();
}

void note_replicas(const Turn& turn, const ReplicasChanged& changed) {
  auto& state = turn.state;
  for (const auto id : state.line.active()) {
    if (!state.line.in_pool().contains(id)) renew_planned(state.jobs.at(id), changed);
  }
  bool nearer = false;
  for (const auto id : state.line.in_pool()) {
    for (const auto& places : changed.blocks) nearer |= move_block(state, state.jobs.at(id), places);
  }
  state.measure_tasks();
  if (nearer) state.replies.requests().tasks_added(turn.driver, state.kind(true));
}

}  // namespace proffer::mapreduce
