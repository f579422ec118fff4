// One run of DARE, the comparator: blocks that were read from elsewhere stay where they were read.
#include <algorithm>
#include <utility>
#include <vector>

#include "catalog/demand/replicator.hpp"

namespace proffer::catalog {
namespace {

std::int64_t popularity(const HotBlock& block) { return static_cast<std::int64_t>(block.heat.popularity); }

}  // namespace

void Replicator::run_dare() {
  std::vector<std::pair<HotBlock*, AgentId>> reads;
  for (const auto& [id, agent] : state_.heat.take_remote_reads()) {
    const auto block = seen_.blocks.find(id);
    if (block != seen_.blocks.end()) reads.emplace_back(&block->second, agent);
  }
  std::stable_sort(reads.begin(), reads.end(),
                   [](const auto& a, const auto& b) { return popularity(*a.first) > popularity(*b.first); });
  auto droppable = least_popular_last();
  for (const auto& [block, agent] : reads) {
    if (!fits(*block, agent) || !make_room(*block, droppable)) continue;
    copy(*block, agent, {popularity(*block), 0, "read from elsewhere"});
  }
}

/// Returns the blocks with a replica to spare, the least popular last; of equals the first one last.
std::vector<HotBlock*> Replicator::least_popular_last() {
  std::vector<HotBlock*> blocks;
  for (auto& [id, block] : seen_.blocks) {
    if (block.has_spare()) blocks.push_back(&block);
  }
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const HotBlock* a, const HotBlock* b) { return popularity(*a) < popularity(*b); });
  std::reverse(blocks.begin(), blocks.end());
  return blocks;
}

/// Drops replicas that are less popular than the newcomer until it fits under the cap; false: it does not.
/// A replica that cannot be dropped now cannot be later in the run.
bool Replicator::make_room(const HotBlock& newcomer, std::vector<HotBlock*>& droppable) {
  while (over_cap(newcomer.length)) {
    if (droppable.empty() || popularity(*droppable.back()) >= popularity(newcomer)) return false;
    auto& least = *droppable.back();
    const auto agent = place_to_drop(least);
    if (agent) drop(least, *agent, {popularity(least), 0, "less popular"});
    if (!agent) droppable.pop_back();
  }
  return true;
}

}  // namespace proffer::catalog
