// Replicas in place of those that were lost, as HDFS makes them: once they have been missing for a while,
// since most agents that fall silent come back. Those that came back after all go again where nobody else
// decides on further replicas.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "catalog/demand/replicator.hpp"

namespace proffer::catalog {
namespace {

// Draws that fit nobody before all agents are looked at.
constexpr int kDraws = 8;
// After so many looks at all agents in vain there is room nowhere.
constexpr int kVainLooks = 100;
// An agent fetches few at a time, and its other readers should not wait for them.
constexpr std::size_t kRestoresToOneAgent = 4;

std::set<std::string> racks_of(const State& state, const HotBlock& block) {
  std::set<std::string> racks;
  for (const auto& [id, length] : state.replicas.holders_of(block.block)) {
    const auto* agent = state.agents.find(id);
    if (length == block.length && agent && agent->counts()) racks.insert(agent->info.rack);
  }
  return racks;
}

/// The choice of an agent for a replica in place of one that was lost: the less loaded of two agents that
/// suit, drawn at random (see placement.hpp); in a second rack when all that are left are in one.
class Draw {
 public:
  explicit Draw(State& state) : state_(state) {
    for (const auto& [id, agent] : state.agents.all()) {
      if (agent.counts()) agents_.push_back(id);
    }
  }
  template <class Fits>
  std::optional<AgentId> agent(const std::set<std::string>& racks, const Fits& fits) {
    if (agents_.empty() || vain_ > kVainLooks) return {};
    const auto elsewhere = [&](AgentId agent) {
      return !racks.contains(state_.agents.find(agent)->info.rack) && fits(agent);
    };
    const auto far = racks.size() == 1 ? any_of(elsewhere) : std::nullopt;
    return far ? far : any_of(fits);
  }

 private:
  template <class Suits>
  std::optional<AgentId> any_of(const Suits& suits) {
    for (int i = 0; i < kDraws; ++i) {
      const auto a = agents_[state_.random.below(agents_.size())];
      const auto b = agents_[state_.random.below(agents_.size())];
      const bool a_suits = suits(a);
      const bool b_suits = suits(b);
      if (a_suits && b_suits) return state_.replicas.load_of(a) <= state_.replicas.load_of(b) ? a : b;
      if (a_suits || b_suits) return a_suits ? a : b;
    }
    const auto first = std::find_if(agents_.begin(), agents_.end(), suits);
    if (first != agents_.end()) return *first;
    ++vain_;
    return {};
  }

  State& state_;
  std::vector<AgentId> agents_;
  int vain_ = 0;
};

}  // namespace

void Replicator::restore() {
  std::set<BlockId> lacking;
  bool any_restorable = false;
  std::vector<HotBlock*> fewest_first;
  for (auto& [id, block] : seen_.blocks) {
    if (!block.lacks) continue;
    lacking.insert(id);
    any_restorable |= block.live > 0;
    if (block.live > 0) fewest_first.push_back(&block);
  }
  state_.lacking.scanned(lacking, any_restorable, turn_.now);
  std::stable_sort(fewest_first.begin(), fewest_first.end(),
                   [](const HotBlock* a, const HotBlock* b) { return a->live < b->live; });
  Draw draw(state_);
  for (auto* block : fewest_first) {
    if (state_.lacking.since(block->block) + state_.config.replication.restore_after > turn_.now) continue;
    const auto fits_still = [&](AgentId agent) {
      return !state_.lacking.failed(block->block).contains(agent) && fits(*block, agent) &&
             state_.copies.load_of(agent) < kRestoresToOneAgent;
    };
    for (; *block->lacks > 0; --*block->lacks) {
      const auto to = draw.agent(racks_of(state_, *block), fits_still);
      if (!to) state_.lacking.clear_failures(block->block);
      if (!to) break;
      copy(*block, *to, {0, 0, kRestored});
    }
  }
  if (!state_.config.replication.on()) drop_surplus();
}

/// Drops replicas from the rack with the most of them, and there from the agent with the most blocks.
void Replicator::drop_surplus() {
  for (auto& [id, block] : seen_.blocks) {
    if (block.live <= block.replication || state_.copies.count(id) > 0) continue;
    while (block.has_spare()) {
      std::map<std::string, std::size_t> in_rack;
      for (const auto agent : block.settled) ++in_rack[state_.agents.find(agent)->info.rack];
      const auto weight = [&](AgentId agent) {
        return std::tuple(in_rack[state_.agents.find(agent)->info.rack], state_.replicas.load_of(agent));
      };
      const auto agent = *std::max_element(block.settled.begin(), block.settled.end(),
                                           [&](AgentId a, AgentId b) { return weight(a) < weight(b); });
      drop(block, agent, {0, 0, "more than were asked for"});
      --block.live;
    }
    if (block.live > block.replication) state_.lacking.request_scan();  // some are too new to go
  }
}

}  // namespace proffer::catalog
