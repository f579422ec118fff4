// Replicas in place of those that were lost, as HDFS makes them: once they have been missing for a while,
// since most agents that fall silent come back. Those that came back after all go again where nobody else
// decides on further replicas.
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "proffer/check.hpp"
#include "storage/replicator.hpp"

namespace proffer {
namespace {

// A draw that fits nobody is made again so often, before all agents are looked at.
constexpr int kDraws = 8;

std::set<std::string> racks_of(const CatalogState& state, const HotBlock& block) {
  std::set<std::string> racks;
  for (const auto& [id, length] : state.replicas.holders_of(block.block)) {
    const auto* agent = state.agents.find(id);
    if (length == block.length && agent && agent->counts()) racks.insert(agent->info.rack);
  }
  return racks;
}

}  // namespace

void Replicator::restore() {
  std::set<BlockId> lacking;
  std::vector<HotBlock*> fewest_first;
  for (auto& [id, block] : seen_.blocks) {
    if (block.lacks == 0) continue;
    lacking.insert(id);
    fewest_first.push_back(&block);
  }
  state_.lacking.looked(lacking, now_);
  std::stable_sort(fewest_first.begin(), fewest_first.end(),
                   [](const HotBlock* a, const HotBlock* b) { return a->live < b->live; });
  for (auto* block : fewest_first) {
    const bool due = state_.lacking.since(block->block) + state_.config.replication.restore_after <= now_;
    while (due && block->live > 0 && block->lacks > 0) {
      const auto to = place_to_restore(*block, {});
      if (!to) break;
      copy(*block, *to, {0, 0, "too few are left"});
    }
  }
  if (!state_.config.replication.on()) drop_surplus();
}

/// The less loaded of two that fit, drawn at random (see placement.hpp); in a second rack when all replicas
/// are in one.
std::optional<AgentId> Replicator::place_to_restore(const HotBlock& block, const std::set<AgentId>& failed) {
  std::vector<AgentId> agents;
  for (const auto& [id, agent] : state_.agents.all()) agents.push_back(id);
  const auto racks = racks_of(state_, block);
  const auto suits = [&](AgentId agent, bool elsewhere) {
    if (failed.contains(agent) || !fits(block, agent)) return false;
    return !elsewhere || !racks.contains(state_.agents.find(agent)->info.rack);
  };
  const auto load = [&](AgentId agent) { return state_.replicas.load_of(agent); };
  const auto draw = [&](bool elsewhere) -> std::optional<AgentId> {
    for (int i = 0; i < kDraws; ++i) {
      const auto a = agents[state_.random.below(agents.size())];
      const auto b = agents[state_.random.below(agents.size())];
      const bool a_suits = suits(a, elsewhere);
      if (!a_suits && !suits(b, elsewhere)) continue;
      return a_suits && (!suits(b, elsewhere) || load(a) <= load(b)) ? a : b;
    }
    const auto any =
        std::find_if(agents.begin(), agents.end(), [&](AgentId agent) { return suits(agent, elsewhere); });
    return any == agents.end() ? std::nullopt : std::optional(*any);
  };
  if (agents.empty()) return {};
  const auto in_second_rack = racks.size() == 1 ? draw(true) : std::nullopt;
  return in_second_rack ? in_second_rack : draw(false);
}

/// From the rack with the most of them, and there from the agent with the most blocks.
void Replicator::drop_surplus() {
  for (auto& [id, block] : seen_.blocks) {
    if (block.there <= block.replication) continue;
    state_.lacking.disturbed();  // some may be too new to go
    while (block.has_spare() && state_.copies.count(id) == 0) {
      std::map<std::string, std::size_t> in_rack;
      for (const auto agent : block.settled) ++in_rack[state_.agents.find(agent)->info.rack];
      const auto weight = [&](AgentId agent) {
        return std::tuple(in_rack[state_.agents.find(agent)->info.rack], state_.replicas.load_of(agent));
      };
      const auto agent = *std::max_element(block.settled.begin(), block.settled.end(),
                                           [&](AgentId a, AgentId b) { return weight(a) < weight(b); });
      drop(block, agent, {0, 0, "more than were asked for"});
    }
  }
}

void restore_round(CatalogState& state, Outbox& out, Time now) {
  Replicator replicator(state, out, now);
  replicator.restore();
  replicator.finish();
}

}  // namespace proffer
