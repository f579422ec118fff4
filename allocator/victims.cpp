#include "allocator/victims.hpp"

#include <algorithm>

namespace proffer::allocator {

Surplus::Surplus(const AllocatorState& state, ShareNode starved, Kind kind)
    : state_(state), starved_(starved), kind_(kind) {
  for (const auto launch : state.tasks.all()) {
    const auto& task = *state.tasks.find(launch);
    if (task.ended() || !task.kill || !task.agent || !state.cluster[*task.agent].counted) continue;
    take(task.framework, task.resources[kind]);
  }
}

std::vector<ShareNode> Surplus::givers(LeafId framework) const {
  const auto& tree = state_.shares.tree();
  std::vector<ShareNode> givers;
  for (const auto node : tree.path_of(framework)) {
    if (tree.is_within(starved_, node)) break;
    givers.push_back(node);
  }
  return givers;
}

std::int64_t Surplus::of(LeafId framework) const {
  const auto& tree = state_.shares.tree();
  if (tree.is_within(tree.node_of(framework), starved_)) return 0;
  auto least = kUnbounded;
  for (const auto node : givers(framework)) {
    const auto numbers = tree.numbers(node, kind_);
    const auto taken = taken_.find(node);
    least = std::min(least, numbers.used - numbers.fair - (taken == taken_.end() ? 0 : taken->second));
  }
  return std::max<std::int64_t>(least, 0);
}

void Surplus::take(LeafId framework, std::int64_t units) {
  for (const auto node : givers(framework)) taken_[node] += units;
}

std::vector<LaunchId> newest_tasks(const AllocatorState& state, Kind kind, std::optional<LeafId> framework) {
  std::vector<LaunchId> tasks;
  for (const auto launch : framework ? state.frameworks[*framework].launches() : state.tasks.all()) {
    const auto& task = *state.tasks.find(launch);
    if (task.ended() || task.kill || task.resources[kind] == 0) continue;
    if (task.agent && state.cluster[*task.agent].counted) tasks.push_back(launch);
  }
  std::reverse(tasks.begin(), tasks.end());
  return tasks;
}

std::vector<Loss> choose_losses(const AllocatorState& state, Surplus& surplus, Kind kind,
                                std::int64_t units) {
  std::vector<Loss> losses;
  for (const auto launch : newest_tasks(state, kind, {})) {
    if (units <= 0) break;
    const auto& task = *state.tasks.find(launch);
    const auto size = task.resources[kind];
    if (size > surplus.of(task.framework)) continue;
    surplus.take(task.framework, size);
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
