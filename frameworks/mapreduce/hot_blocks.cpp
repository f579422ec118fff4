// Blocks in demand: the catalog is told how they are read, and tells of replicas that it makes and deletes.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "frameworks/mapreduce/impl.hpp"

namespace proffer {
namespace {

void renew(std::vector<BlockRead>& blocks, const BlockPlaces& places) {
  for (auto& block : blocks) {
    if (block.block == places.block) block.replicas = places.replicas;
  }
}

/// Where files that agents keep are read from.
void renew_cached(mapreduce::Job& job, const BlockPlaces& places) {
  for (auto& file : job.cached) renew(file.blocks, places);
}

/// Of a job that is still planned, which has no tasks yet. Its inputs grow, so that nobody knows who reads
/// what.
void renew_planned(mapreduce::Job& job, const ReplicasChanged& changed) {
  std::map<BlockId, const BlockPlaces*> places;
  for (const auto& one : changed.blocks) {
    if (one.replicas.empty()) continue;
    places[one.block] = &one;
    renew_cached(job, one);
  }
  for (auto& input : job.inputs) {
    for (auto& block : input.blocks) {
      if (const auto at = places.find(block.block); at != places.end()) {
        block.replicas = at->second->replicas;
      }
    }
  }
}

}  // namespace

/// The catalog may want to know, or no longer.
void MapReduce::Impl::note_wish(Driver& driver, const UseWanted& wanted) {
  if (uses.want(wanted, driver.now())) driver.tell_catalog({});
}

void MapReduce::Impl::note_use(const Job& job, std::uint32_t index, const Placement& placed, AgentId agent) {
  const auto& blocks = job.inputs.at(index).blocks;
  if (blocks.empty()) return;
  uses.launched(job.id, blocks.front().block, agent, placed.locality == Locality::node, placed.waited);
}

/// Even when nothing was read: who says nothing is told of nothing. A job that waits and launches nothing is
/// what replicas are made for, so its delay counts at each report until they are there.
void MapReduce::Impl::report_use(Driver& driver) {
  for (const auto id : active) {
    const auto& job = jobs.at(id);
    const auto by_now = policy->waited(id, kind(true), pool, driver.now());
    const auto waited = uses.delay_of_pending(id, by_now);
    if (waited <= Duration::zero()) continue;
    for (const auto index : job.maps.open_tasks()) {
      const auto& blocks = job.inputs.at(index).blocks;
      if (!blocks.empty()) uses.pending(blocks.front().block, waited);
    }
  }
  for (auto& page : uses.take(driver.now())) driver.tell_catalog(std::move(page));
  if (active.empty()) uses.stop();
}

void MapReduce::Impl::replicas_changed(Driver& driver, const ReplicasChanged& changed) {
  for (const auto id : active) {
    if (!in_pool.contains(id)) renew_planned(jobs.at(id), changed);
  }
  bool nearer = false;
  for (const auto id : in_pool) {
    for (const auto& places : changed.blocks) nearer |= move_block(jobs.at(id), places);
  }
  measure_tasks();
  if (nearer) answer->tasks_added(driver, kind(true));
}

/// True when a pending task of the job would find it on another node now.
bool MapReduce::Impl::move_block(Job& job, const BlockPlaces& places) {
  if (places.replicas.empty()) return false;
  renew_cached(job, places);
  bool nearer = false;
  for (const auto& [id, index] : job.readers.of(places.block, job.inputs)) {
    auto& input = job.inputs.at(index);
    renew(input.blocks, places);
    if (input.blocks.front().block == places.block) nearer |= prefer_anew(job, index);
    job.largest_map_bytes = std::max(job.largest_map_bytes, mapreduce::map_bytes(job, index));
  }
  return nearer;
}

/// True when a pending task would find its block on another node now.
bool MapReduce::Impl::prefer_anew(const Job& job, std::uint32_t index) {
  if (!job.maps.open_tasks().contains(index)) return false;
  auto task = pending_map(job, index);
  return pool.prefer(job.id, kind(true), task.id, std::move(task.nodes), std::move(task.racks));
}

}  // namespace proffer
