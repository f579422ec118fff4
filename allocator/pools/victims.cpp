#include "allocator/pools/victims.hpp"

#include <algorithm>

namespace proffer::allocator {

Surplus::Surplus(const State& state, ShareNode starved, Kind kind)
    : state_(state), starved_(starved), kind_(kind) {
  const auto owed = state.starvation.claims.owed(kind);
  for (const auto& [id, index] : state.frameworks.in_order()) {
    const auto found = owed.find(index);
    const auto leaving =
        std::max(state.frameworks[index].slots.dying[kind], found == owed.end() ? 0 : found->second);
    if (leaving > 0) deduct(index, leaving);
  }
}

std::vector<ShareNode> Surplus::givers(FrameworkIndex framework) const {
  const auto& tree = state_.shares.tree();
  std::vector<ShareNode> givers;
  for (const auto node : tree.path_of(framework)) {
    if (tree.is_within(starved_, node)) break;
    givers.push_back(node);
  }
  return givers;
}

std::int64_t Surplus::of(FrameworkIndex framework) const {
  const auto& tree = state_.shares.tree();
  if (tree.is_within(tree.node_of(framework), starved_)) return 0;
  auto least = kUnbounded;
  for (const auto node : givers(framework)) {
    const auto numbers = tree.numbers(node, kind_);
    const auto taken = taken_.find(node);
    least = std::min(least, numbers.used - numbers.most_fair - (taken == taken_.end() ? 0 : taken->second));
  }
  return std::max<std::int64_t>(least, 0);
}

void Surplus::deduct(FrameworkIndex framework, std::int64_t units) {
  for (const auto node : givers(framework)) taken_[node] += units;
}

bool is_of_all(const AgentRecord& agent) { return agent.counted && agent.admits.at(Eligibility::kAll); }

namespace {

bool may_die(const State& state, const TaskRecord& task, Kind kind) {
  if (task.ended() || task.kill || task.resources[kind] == 0) return false;
  return task.agent && is_of_all(state.cluster[*task.agent]);
}

}  // namespace

std::vector<LaunchId> newest_tasks(const State& state, Kind kind, FrameworkIndex framework) {
  auto tasks = state.frameworks[framework].launches();
  std::erase_if(tasks, [&](LaunchId launch) { return !may_die(state, *state.tasks.find(launch), kind); });
  std::reverse(tasks.begin(), tasks.end());
  return tasks;
}

/// Few tasks of many are chosen as a rule, so they are put in order only as far as they are looked at.
std::vector<Loss> choose_losses(const State& state, Surplus& surplus, Kind kind, std::int64_t units) {
  std::vector<LaunchId> heap;
  for (const auto& [id, index] : state.frameworks.in_order()) {
    if (surplus.of(index) == 0) continue;
    for (const auto& [task, launch] : state.frameworks[index].tasks) {
      if (may_die(state, *state.tasks.find(launch), kind)) heap.push_back(launch);
    }
  }
  std::make_heap(heap.begin(), heap.end());
  std::vector<Loss> losses;
  for (; units > 0 && !heap.empty(); heap.pop_back()) {
    std::pop_heap(heap.begin(), heap.end());
    const auto& task = *state.tasks.find(heap.back());
    const auto size = task.resources[kind];
    if (size > surplus.of(task.framework)) continue;
    surplus.deduct(task.framework, size);
    units -= size;
    const auto known = std::find_if(losses.begin(), losses.end(),
                                    [&](const Loss& loss) { return loss.framework == task.framework; });
    if (known == losses.end()) {
      losses.push_back({task.framework, size});
    } else {
      known->units += size;
    }
  }
  return losses;
}

}  // namespace proffer::allocator
