#include "allocator/standings.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "proffer/limits.hpp"

namespace proffer::allocator {
namespace {

/// Somebody else wants more slots of the kind, and could be offered some of these.
bool contended(const AllocatorState& state, const FrameworkRecord& framework, Kind kind,
               const std::vector<AgentIndex>& agents) {
  std::vector<std::optional<bool>> admitted(state.eligibility.classes());
  const auto could_have = [&](LeafId leaf) {
    if (leaf == framework.leaf) return false;
    auto& known = admitted[state.frameworks[leaf].eligibility];
    if (!known) {
      const auto of = state.frameworks[leaf].eligibility;
      known = std::any_of(agents.begin(), agents.end(),
                          [&](AgentIndex agent) { return state.cluster[agent].admits[of]; });
    }
    return *known;
  };
  return state.shares.tree().neediest(kind, could_have).has_value();
}

/// No free slot is left that it may have and has not been offered. While it wants more, none can be, or the
/// pass would have offered it.
bool complete(const AllocatorState& state, const FrameworkRecord& framework, Kind kind, Time now) {
  if (state.shares.wants(framework.leaf, kind)) return true;
  const auto& listed = state.cluster.with_free(kind);
  return std::none_of(listed.begin(), listed.end(), [&](const auto& entry) {
    const auto& agent = state.cluster[entry.second];
    if (!agent.admits[framework.eligibility]) return false;
    const auto free = state.cluster.free_units(agent, kind);
    const auto verdict = state.filters.judge({framework.leaf, agent.index, kind}, 0, free, now);
    return verdict != DeclineFilters::Verdict::refused;
  });
}

}  // namespace

Standing standing_of(const AllocatorState& state, const FrameworkRecord& framework, Kind kind,
                     const std::vector<AgentIndex>& agents, Time now) {
  const auto& tree = state.shares.tree();
  Standing standing;
  standing.kind = kind;
  standing.used = tree.used(framework.leaf, kind);
  standing.fair = tree.fair_share(framework.leaf, kind);
  standing.contended = contended(state, framework, kind, agents);
  standing.complete = complete(state, framework, kind, now);
  return standing;
}

void send_offers(const Turn& turn, FrameworkRecord& framework, std::vector<Offer> offers) {
  std::map<Kind, std::vector<AgentIndex>> agents;
  for (const auto& offer : offers) {
    const auto index = turn.state.offers.find(offer.id)->agent;
    for (const auto& [kind, units] : offer.resources) agents[kind].push_back(index);
  }
  std::vector<Standing> standings;
  for (const auto& [kind, on] : agents) {
    standings.push_back(standing_of(turn.state, framework, kind, on, turn.now));
  }
  for (std::size_t begin = 0; begin < offers.size(); begin += limits::kOffersPerMessage) {
    const auto end = std::min(offers.size(), begin + limits::kOffersPerMessage);
    const auto from = offers.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = offers.begin() + static_cast<std::ptrdiff_t>(end);
    turn.to_framework(framework,
                      Offers{{std::make_move_iterator(from), std::make_move_iterator(to)}, standings});
  }
}

}  // namespace proffer::allocator
