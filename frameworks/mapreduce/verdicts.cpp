#include "frameworks/mapreduce/verdicts.hpp"

namespace proffer::mapreduce {
namespace {

/// The number of excuses of one task after which its failures count, or a store that never works would never
/// be told of, and a task that fills the disks of its agents would go on for ever.
constexpr std::uint32_t kMostExcuses = 20;

std::string how_it_ended(const TaskStatus& status) {
  if (status.exit.signal != 0) return "ended by signal " + std::to_string(status.exit.signal);
  if (status.reason == TaskReason::exit) return "exit code " + std::to_string(status.exit.code);
  return std::string(to_string(status.state)) + ", " + std::string(to_string(status.reason));
}

}  // namespace

bool is_complete(const Job& job, bool map, const TaskStatus& status) {
  if (map) {
    const auto* mapped = result_of<MapResult>(status);
    return mapped && mapped->partitions.size() == (job.spec.synthetic ? 0 : job.spec.reduce_count());
  }
  const auto* reduced = result_of<ReduceResult>(status);
  return reduced && reduced->missing.empty();
}

bool is_its_own_fault(const TaskStatus& status) {
  if (status.state == TaskState::failed) return !is_agents_fault(status.reason);
  return status.state == TaskState::rejected &&
         (status.reason == TaskReason::invalid || status.reason == TaskReason::too_large ||
          status.reason == TaskReason::duplicate_id);
}

bool is_by_agent(const TaskStatus& status) {
  return status.state == TaskState::failed && is_agents_fault(status.reason);
}

std::string why_failed(const Attempt& attempt, const TaskStatus& status) {
  if (!attempt.failure.empty()) return attempt.failure;
  if (!status.message.empty()) return status.message;
  return how_it_ended(status);
}

bool too_often_excused(Job& job, bool map, const Attempt& attempt) {
  return ++job.tasks.table(map).tries(attempt.index).excuses > kMostExcuses;
}

}  // namespace proffer::mapreduce
