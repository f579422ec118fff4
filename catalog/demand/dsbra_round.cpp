// One run of DSBRA: cold blocks lose a replica beyond the usual number, hot blocks get more.
#include <algorithm>
#include <vector>

#include "catalog/demand/replicator.hpp"

namespace proffer::catalog {

void Replicator::run_dsbra() {
  const auto mean = mean_factor();
  drop_cold(mean);
  copy_hot(mean);
}

/// Returns GAvg, the mean factor over all blocks, or over those that were read in the interval.
dsbra::Millionths Replicator::mean_factor() const {
  const bool accessed_only = state_.config.replication.variant == DsbraVariant::accessed;
  std::int64_t sum = 0;
  std::int64_t accessed = 0;
  for (const auto& [id, block] : seen_.blocks) {
    if (accessed_only && !block.heat.accessed) continue;
    sum += block.heat.factor;
    ++accessed;
  }
  const auto count = accessed_only ? accessed : static_cast<std::int64_t>(seen_.count);
  return count == 0 ? 0 : sum / count;
}

void Replicator::drop_cold(dsbra::Millionths mean) {
  for (auto& [id, block] : seen_.blocks) {
    const auto factor = block.heat.factor;
    if (!dsbra::is_cold(factor, mean)) continue;
    if (const auto agent = place_to_drop(block)) drop(block, *agent, {factor, mean, "cold"});
  }
}

void Replicator::copy_hot(dsbra::Millionths mean) {
  std::vector<HotBlock*> hottest;
  for (auto& [id, block] : seen_.blocks) {
    if (dsbra::copies_wanted(block.heat.factor, mean) > 0) hottest.push_back(&block);
  }
  std::stable_sort(hottest.begin(), hottest.end(),
                   [](const HotBlock* a, const HotBlock* b) { return a->heat.factor > b->heat.factor; });
  // The paper's pseudocode says "descending" where its text says least loaded.
  const bool literal = state_.config.replication.variant == DsbraVariant::literal;
  for (auto* block : hottest) {
    const auto factor = block->heat.factor;
    const auto coming = static_cast<std::int64_t>(state_.copies.count(block->block));
    for (auto n = dsbra::copies_wanted(factor, mean) - coming; n > 0 && !over_cap(block->length); --n) {
      const auto takes = [&](AgentId agent) { return fits(*block, agent); };
      const auto to = literal ? nodes_.most(takes) : nodes_.least(takes);
      if (!to) break;
      copy(*block, *to, {factor, mean, "hot"});
    }
  }
}

}  // namespace proffer::catalog
