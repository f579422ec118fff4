#include "catalog/tables/heat_table.hpp"

#include <algorithm>
#include <utility>

#include "proffer/limits.hpp"

namespace proffer::catalog {
namespace {

constexpr std::uint64_t kMostTasks = 100'000'000;  // a day for each of them is within 64 bits

}  // namespace

void HeatTable::read(const BlockUse& use, Duration threshold) {
  auto& reads = heats_[use.block].reads;
  const auto tasks = std::min<std::uint64_t>(use.tasks, kMostTasks - reads.tasks);
  const auto delayed = std::min<std::uint64_t>(use.delayed, tasks);
  reads.tasks += tasks;
  reads.delayed += delayed;
  const auto most =
      std::min<Duration>(threshold, std::chrono::hours(24)) * static_cast<std::int64_t>(delayed);
  reads.delay += std::clamp(use.delay, Duration::zero(), most);
}

void HeatTable::read_remotely(const RemoteRead& read) {
  if (remote_.size() < limits::kItems) remote_.emplace(read.block, read.agent);
}

void HeatTable::end_interval(const ReplicationConfig& config) {
  const bool literal = config.variant == DsbraVariant::literal;
  for (auto& [block, heat] : heats_) {
    heat.accessed = heat.reads.tasks > 0;
    heat.popularity = (heat.popularity + 1000 * heat.reads.tasks) / 2;
    const auto delay = dsbra::delay_of(heat.reads, config.threshold);
    heat.factor = dsbra::factor_of(delay, heat.history, config.alpha_milli, literal);
    heat.history = dsbra::after(heat.history, heat.factor);
    heat.reads = {};
  }
}

std::set<std::pair<BlockId, AgentId>> HeatTable::take_remote_reads() { return std::exchange(remote_, {}); }

void HeatTable::forget(BlockId block) {
  heats_.erase(block);
  auto last = remote_.lower_bound({block, AgentId{}});
  const auto first = last;
  while (last != remote_.end() && last->first == block) ++last;
  remote_.erase(first, last);
}

const HeatTable::Heat& HeatTable::of(BlockId block) const {
  static const Heat kNone;
  const auto at = heats_.find(block);
  return at == heats_.end() ? kNone : at->second;
}

}  // namespace proffer::catalog
