// One run of the comparator: what was read from elsewhere stays where it was read.
#include <algorithm>
#include <utility>
#include <vector>

#include "storage/replicator.hpp"

namespace proffer {
namespace {

std::int64_t popularity(const HotBlock& block) { return static_cast<std::int64_t>(block.heat.popularity); }

}  // namespace

void Replicator::run_dare() {
  std::vector<std::pair<HotBlock*, AgentId>> reads;
  for (const auto& [id, agent] : state_.heat.take_remote()) {
    const auto block = seen_.blocks.find(id);
    if (block != seen_.blocks.end()) reads.emplace_back(&block->second, agent);
  }
  std::stable_sort(reads.begin(), reads.end(),
                   [](const auto& a, const auto& b) { return popularity(*a.first) > popularity(*b.first); });
  for (const auto& [block, agent] : reads) {
    if (!fits(*block, agent) || !make_room(*block)) continue;
    copy(*block, agent, {popularity(*block), 0, "read from elsewhere"});
  }
}

/// In place of what is less popular than the newcomer.
bool Replicator::make_room(const HotBlock& newcomer) {
  while (over_cap(newcomer.length)) {
    HotBlock* least = nullptr;
    for (auto& [id, block] : seen_.blocks) {
      const bool less = popularity(block) < popularity(least == nullptr ? newcomer : *least);
      if (less && place_to_drop(block)) least = &block;
    }
    if (least == nullptr) return false;
    drop(*least, *place_to_drop(*least), {popularity(*least), 0, "less popular"});
  }
  return true;
}

}  // namespace proffer
