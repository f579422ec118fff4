#include "catalog/demand/hot_blocks.hpp"

#include <algorithm>
#include <utility>

namespace proffer::catalog {
namespace {

// A deletion that was under way when an agent connected anew is over by then.
constexpr Duration kSettled = std::chrono::seconds(10);

/// The number of a block's replicas that are meant to stay.
struct Kept {
  std::size_t all = 0;
  std::size_t live = 0;
};

Kept kept(const State& state, const BlockInfo& block) {
  Kept kept;
  for (const auto& [id, length] : state.replicas.holders_of(block.block)) {
    if (length != block.length || state.replicas.condemned_at(id).contains(block.block)) continue;
    ++kept.all;
    const auto* agent = state.agents.find(id);
    if (agent && agent->counts()) ++kept.live;
  }
  return kept;
}

HotBlock look_at(const State& state, const NameTable::File& file, const BlockInfo& block, Time now) {
  HotBlock hot{block.block, block.length, file.replication, {}, state.heat.of(block.block), 0, 0, {}};
  for (const auto& [id, length] : state.replicas.holders_of(block.block)) {
    const auto* agent = state.agents.find(id);
    if (length != block.length || !agent || !agent->counts()) continue;
    if (state.replicas.condemned_at(id).contains(block.block)) continue;
    if (now - agent->reported_at >= kSettled) hot.settled.insert(id);
  }
  return hot;
}

}  // namespace

HotBlocks look_at_blocks(const State& state, Time now) {
  HotBlocks seen;
  std::map<BlockId, std::size_t> coming;
  for (const auto& [key, copy] : state.copies.all()) ++coming[key.first];
  const auto& agents = state.agents.all();
  const auto counting = static_cast<std::size_t>(
      std::count_if(agents.begin(), agents.end(), [](const auto& agent) { return agent.second.counts(); }));
  const auto [first, past] = state.names.at_or_below("/");
  for (auto at = first; at != past; ++at) {
    const auto& file = at->second;
    if (!file.complete) continue;
    seen.count += file.blocks.size();
    seen.base += file.length * file.replication;
    for (const auto& block : file.blocks) {
      const auto on_the_way = coming.find(block.block);
      const auto copies = on_the_way == coming.end() ? 0 : on_the_way->second;
      const auto replicas = kept(state, block);
      const auto there = replicas.all + copies;
      const bool more = there > file.replication;
      const auto wanted = std::min<std::size_t>(file.replication, counting);
      const bool fewer = state.config.replication.restores() && replicas.live < wanted;
      if (more) seen.extra += (there - file.replication) * block.length;
      if (!more && !fewer && !state.heat.all().contains(block.block)) continue;
      auto hot = look_at(state, file, block, now);
      hot.there = there;
      hot.live = replicas.live;
      if (fewer) hot.lacks = wanted - std::min(wanted, replicas.live + copies);
      seen.blocks.emplace(block.block, std::move(hot));
    }
  }
  return seen;
}

}  // namespace proffer::catalog
