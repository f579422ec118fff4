#include "allocator/offers/accept_rules.hpp"

#include <algorithm>
#include <set>

#include "proffer/bulk.hpp"

namespace proffer::allocator {
namespace {

AcceptVerdict rejected(const TaskId& task, TaskReason reason) {
  return {task, false, TaskState::rejected, reason};
}

bool valid(const TaskSpec& task) {
  const auto rides = [](const Resources::Entry& entry) { return rides_along(entry.first); };
  const bool lacks_cpus =
      task.resources[kCpus] == 0 && std::any_of(task.resources.begin(), task.resources.end(), rides);
  return valid_task_id(task.id.value) && !task.resources.empty() && !lacks_cpus && task.work != nullptr;
}

AcceptVerdict judge(const TaskSpec& task, const AcceptGround& ground, bool duplicate, const Resources& left,
                    std::size_t room) {
  if (!valid(task)) return rejected(task.id, TaskReason::invalid);
  if (duplicate) return rejected(task.id, TaskReason::duplicate_id);
  if (!ground.one_agent) return rejected(task.id, TaskReason::invalid);
  if (!left.contains(task.resources)) {
    if (ground.any_dead) return {task.id, false, TaskState::dropped, TaskReason::offer_gone};
    return rejected(task.id, TaskReason::too_large);
  }
  if (room == 0) return rejected(task.id, TaskReason::agent_refused);
  return {task.id, true, TaskState::pending, TaskReason::none};
}

}  // namespace

std::vector<AcceptVerdict> judge_accept(const std::vector<TaskSpec>& tasks, const AcceptGround& ground) {
  std::vector<AcceptVerdict> verdicts;
  verdicts.reserve(tasks.size());
  auto left = ground.available;
  auto room = ground.room;
  std::set<TaskId> taken;
  for (const auto& task : tasks) {
    const bool duplicate = taken.contains(task.id) || ground.known(task.id);
    verdicts.push_back(judge(task, ground, duplicate, left, room));
    if (!verdicts.back().ok) continue;
    left -= task.resources;
    --room;
    taken.insert(task.id);
  }
  return verdicts;
}

}  // namespace proffer::allocator
