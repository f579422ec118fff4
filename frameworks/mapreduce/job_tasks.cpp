#include "frameworks/mapreduce/job_tasks.hpp"

#include "proffer/check.hpp"

namespace proffer::mapreduce {
namespace {

constexpr std::uint32_t kMilli = 1000;

}  // namespace

bool JobTasks::may_reduce(std::uint32_t slow_start_milli) const {
  const auto done = static_cast<std::uint64_t>(outputs.count());
  return done * kMilli >= std::uint64_t{slow_start_milli} * maps.size();
}

Complaint JobTasks::complaint_of(const Attempt& attempt, const std::vector<TaskId>& missing) const {
  Complaint complaint{attempt.index, attempt.agent, {}, outputs.holders(), true};
  for (const auto& map : missing) {
    const auto index = maps.won_by(map);
    if (index) complaint.missing[*index] = outputs.at(*index).agent;
  }
  for (const auto& [id, other] : reduces.attempts()) complaint.alone &= !other.current;
  return complaint;
}

std::vector<TaskId> JobTasks::lose_map(std::uint32_t index) {
  maps.lose(index);
  outputs.lose(index);
  return early.list_changed();
}

void JobTasks::check_invariants() const {
  maps.check_invariants();
  reduces.check_invariants();
  outputs.check_invariants();
  early.check_invariants();
  PROFFER_CHECK((outputs.count() == maps.size()) == maps.all_done(),
                "the list of ended maps is not that of the table");
  for (const auto& [index, outcome] : outputs.by_map()) {
    PROFFER_CHECK(maps.is_done(index), "a map has an output and is not done");
  }
}

}  // namespace proffer::mapreduce
