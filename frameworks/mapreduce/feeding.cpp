#include "frameworks/mapreduce/feeding.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "frameworks/mapreduce/pending.hpp"
#include "frameworks/mapreduce/phases.hpp"
#include "frameworks/mapreduce/work_maker.hpp"
#include "proffer/check.hpp"

namespace proffer::mapreduce {
namespace {

/// News of one part in so many of all maps is worth a message to each reduce that waits.
constexpr std::uint32_t kParts = 20;
/// The bytes of one output on the wire at most: its numbers, an id and an endpoint.
constexpr std::size_t kOutputBytes = 128 + limits::kNameBytes + limits::kEndpointBytes;
constexpr auto kOutputsPerMessage = static_cast<std::uint32_t>(kTaskBytesPerMessage / kOutputBytes);

/// Tells a reduce of the outputs that there are, but the first `from`.
void feed(Driver& driver, Job& job, const Agents& agents, const TaskId& attempt, std::uint32_t from) {
  auto& tasks = job.tasks;
  auto* reduce = tasks.early.find(attempt);
  PROFFER_CHECK(reduce != nullptr, "a reduce is fed that was not started early");
  const auto index = tasks.reduces.attempts().at(attempt).index;
  const auto all = tasks.outputs.count();
  do {
    const auto to = std::min(all, from + kOutputsPerMessage);
    MoreInputs more{{}, attempt, from, to, {}, {}, to == all && tasks.maps.all_done()};
    const auto maps = std::span(tasks.outputs.ended()).subspan(from, to - from);
    if (job.spec.synthetic) {
      more.synthetic = synthetic_inputs(job, maps, agents);
    } else {
      more.inputs = reduce_inputs(job, index, maps, agents);
    }
    tasks.early.told(*reduce, to, more.complete);
    driver.send_inputs(std::move(more));
    from = to;
  } while (from < all);
}

void all_maps_ended(const Turn& turn, Job& job) {
  if (job.map_only()) return;
  auto& state = turn.state;
  // Measured below: the descriptions of synthetic reduces are as large as this.
  if (job.spec.synthetic) job.tasks.shuffle = synthetic_inputs(job, all_maps(job), state.agents.all());
  if (!measure_reduces(turn, job) || state.config.max_copying == 0) return;
  if (job.phase != JobPhase::running) return;
  // Agents are wanted again where enough of them copied.
  state.replies.requests().tasks_added(turn.driver, state.config.reduce_kind);
}

}  // namespace

void reduce_runs(const Turn& turn, Job& job, const TaskId& attempt) {
  auto* reduce = job.tasks.early.find(attempt);
  if (reduce == nullptr || std::exchange(reduce->runs, true)) return;
  feed(turn.driver, job, turn.state.agents.all(), attempt, 0);
}

void reduce_wants(const Turn& turn, Job& job, const TaskId& attempt, std::uint32_t from) {
  const auto* reduce = job.tasks.early.find(attempt);
  if (reduce == nullptr || !reduce->runs) return;
  if (reduce->outdated) return give_up(turn, job, false, attempt);
  if (from < reduce->told) feed(turn.driver, job, turn.state.agents.all(), attempt, from);
}

void map_ended(const Turn& turn, Job& job) {
  const auto& tasks = job.tasks;
  if (tasks.maps.all_done()) all_maps_ended(turn, job);
  if (tasks.early.empty() || job.phase != JobPhase::running) return;
  const auto worth_it = std::max<std::uint32_t>(1, tasks.maps.size() / kParts);
  for (const auto& attempt : tasks.early.waiting()) {
    const auto from = job.tasks.early.find(attempt)->told;
    if (tasks.outputs.count() - from >= worth_it || tasks.maps.all_done()) {
      feed(turn.driver, job, turn.state.agents.all(), attempt, from);
    }
  }
}

}  // namespace proffer::mapreduce
