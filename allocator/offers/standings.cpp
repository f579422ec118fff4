#include "allocator/offers/standings.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "proffer/limits.hpp"

namespace proffer::allocator {
namespace {

/// Returns whether another framework wants more slots of the kind, and could be offered some of these agents.
bool contended(const State& state, const FrameworkRecord& framework, Kind kind,
               const std::vector<AgentIndex>& agents, Time now) {
  std::vector<std::optional<bool>> admitted(state.eligibility.classes());
  const auto could_have = [&](FrameworkIndex candidate) {
    if (candidate == framework.index || state.silences.silent(candidate, kind, now)) return false;
    auto& known = admitted[state.frameworks[candidate].place.eligibility];
    if (!known) {
      const auto of = state.frameworks[candidate].place.eligibility;
      known = std::any_of(agents.begin(), agents.end(),
                          [&](AgentIndex agent) { return state.cluster[agent].admits[of]; });
    }
    return *known;
  };
  return state.shares.tree().neediest(kind, could_have).has_value();
}

}  // namespace

std::int64_t fair_share(const State& state, const FrameworkRecord& framework, Kind kind) {
  return std::min(state.shares.tree().fair_share(framework.index, kind),
                  state.cluster.capacity(kind, framework.place.eligibility));
}

Standing standing_of(const State& state, const FrameworkRecord& framework, Kind kind,
                     const std::vector<AgentIndex>& agents, Time now) {
  const auto& tree = state.shares.tree();
  Standing standing;
  standing.kind = kind;
  standing.used = tree.used(framework.index, kind);
  standing.fair = fair_share(state, framework, kind);
  standing.starved = state.starvation.starved(tree, framework.index, kind);
  standing.contended = contended(state, framework, kind, agents, now);
  standing.complete = !state.cluster.any_free(kind, framework.place.eligibility);
  return standing;
}

Offer offer_of(const State& state, const OfferRecord& record) {
  return {.id = record.id,
          .agent = state.cluster[record.agent].info,
          .resources = record.resources(),
          .idle = record.idle};
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
