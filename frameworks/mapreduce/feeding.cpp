// Reduces that are started before all maps are done (slow start): when, and how they learn what to copy.
#include <algorithm>
#include <utility>

#include "frameworks/mapreduce/impl.hpp"
#include "proffer/check.hpp"

namespace proffer {
namespace {

constexpr std::uint32_t kMilli = 1000;
/// News of so many more maps is worth a message to each reduce that waits.
constexpr std::uint32_t kParts = 20;
/// What one output takes on the wire at most: its numbers, an id and an endpoint.
constexpr std::size_t kOutputBytes = 128 + limits::kNameBytes + limits::kEndpointBytes;
constexpr auto kOutputsPerMessage =
    static_cast<std::uint32_t>(mapreduce::kTaskBytesPerMessage / kOutputBytes);

}  // namespace

bool MapReduce::Impl::may_reduce(const Job& job) const {
  const auto done = static_cast<std::uint64_t>(job.ended_maps.size());
  return done * kMilli >= std::uint64_t{config.slow_start_milli} * job.maps.size();
}

bool MapReduce::Impl::copies_enough(JobId id, Kind kind, AgentId agent, std::size_t placed) const {
  if (config.max_copying == 0 || kind != config.reduce_kind) return false;
  const auto& job = jobs.at(id);
  return !job.maps.all_done() && job.early.copying_on(agent) + placed >= config.max_copying;
}

void MapReduce::Impl::feed(Driver& driver, Job& job, const TaskId& attempt, std::uint32_t from) {
  auto* reduce = job.early.find(attempt);
  PROFFER_CHECK(reduce != nullptr, "a reduce is fed that was not started early");
  const auto index = job.reduces.attempts().at(attempt).index;
  const auto all = static_cast<std::uint32_t>(job.ended_maps.size());
  do {
    const auto to = std::min(all, from + kOutputsPerMessage);
    MoreInputs more{{}, attempt, from, to, {}, {}, to == all && job.maps.all_done()};
    const std::span maps(job.ended_maps.begin() + from, job.ended_maps.begin() + to);
    if (job.spec.synthetic) {
      more.synthetic = mapreduce::synthetic_inputs(job, maps, agents);
    } else {
      more.inputs = mapreduce::reduce_inputs(job, index, maps, agents);
    }
    job.early.told(*reduce, to, more.complete);
    driver.send_inputs(std::move(more));
    from = to;
  } while (from < all);
}

void MapReduce::Impl::reduce_runs(Driver& driver, Job& job, const TaskId& attempt) {
  auto* reduce = job.early.find(attempt);
  if (reduce == nullptr || std::exchange(reduce->runs, true)) return;
  feed(driver, job, attempt, 0);
}

/// It has not heard of outputs for a while, and some may have been lost on their way.
void MapReduce::Impl::reduce_wants(Driver& driver, Job& job, const TaskId& attempt, std::uint32_t from) {
  const auto* reduce = job.early.find(attempt);
  if (reduce == nullptr || !reduce->runs) return;
  if (reduce->outdated) return give_up(driver, job, false, attempt);
  if (from < reduce->told) feed(driver, job, attempt, from);
}

void MapReduce::Impl::map_ended(Driver& driver, Job& job, std::uint32_t index) {
  job.ended_maps.push_back(index);
  if (job.maps.all_done()) all_maps_ended(driver, job);
  if (job.early.empty() || job.phase != JobPhase::running) return;
  const auto all = static_cast<std::uint32_t>(job.ended_maps.size());
  const auto worth_it = std::max<std::uint32_t>(1, job.maps.size() / kParts);
  for (const auto& attempt : job.early.waiting()) {
    const auto from = job.early.find(attempt)->told;
    if (all - from >= worth_it || job.maps.all_done()) feed(driver, job, attempt, from);
  }
}

void MapReduce::Impl::all_maps_ended(Driver& driver, Job& job) {
  if (job.map_only()) return;
  if (job.spec.synthetic) job.shuffle = mapreduce::synthetic_inputs(job, mapreduce::all_maps(job), agents);
  measure_reduces(driver, job);
  if (config.max_copying > 0 && job.phase == JobPhase::running) {
    answer->tasks_added(driver, config.reduce_kind);  // agents where enough of them copied
  }
}

/// As they would be described now.
void MapReduce::Impl::measure_reduces(Driver& driver, Job& job) {
  job.reduce_bytes = mapreduce::largest_reduce_bytes(job, agents);
  measure_tasks();
  if (job.reduce_bytes > mapreduce::kTaskBytesPerMessage) {
    fail(driver, job, "the job has too many maps for one reduce; use larger blocks");
  }
}

void MapReduce::Impl::map_lost(Driver& driver, Job& job, std::uint32_t index) {
  std::erase(job.ended_maps, index);
  for (const auto& attempt : job.early.list_changed()) give_up(driver, job, false, attempt);
}

}  // namespace proffer
