#include "frameworks/mapreduce/cache_holders.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace proffer::mapreduce {

bool CacheHolders::remove(BlockId file, AgentId agent) {
  const auto at = holders_.find(file);
  return at != holders_.end() && at->second.erase(agent) > 0;
}

std::vector<BlockId> CacheHolders::forget(AgentId agent) {
  std::vector<BlockId> held;
  for (auto& [file, agents] : holders_) {
    if (agents.erase(agent) > 0) held.push_back(file);
  }
  return held;
}

std::vector<AgentId> CacheHolders::of_all(std::span<const CachedFile> files) const {
  std::optional<std::vector<AgentId>> all;
  for (const auto& file : files) {
    if (file.blocks.empty()) continue;  // nothing of it need be anywhere
    const auto at = holders_.find(file.blocks.front().block);
    if (at == holders_.end()) return {};
    if (all) {
      std::erase_if(*all, [&](AgentId agent) { return !at->second.contains(agent); });
    } else {
      all.emplace(at->second.begin(), at->second.end());
    }
  }
  return all.value_or(std::vector<AgentId>());
}

}  // namespace proffer::mapreduce
