#include "allocator/pools/places.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "allocator/offers/offer_endings.hpp"
#include "allocator/state/ledger.hpp"

namespace proffer::allocator {
namespace {

/// Traces the agents that were some pool's alone under the former rules and are nobody's now.
void note_returned(const Turn& turn, const std::map<AgentIndex, std::string>& before) {
  for (const auto& [index, pool] : before) {
    if (turn.state.private_agents.owner(index)) continue;
    turn.trace(AgentLeased{turn.state.cluster[index].info.id, pool, true});
  }
}

std::map<AgentIndex, std::string> leased(State& state) {
  std::map<AgentIndex, std::string> pools;
  for (const auto& [number, lease] : state.private_agents.by_class()) {
    for (const auto agent : lease.agents) pools[agent] = state.eligibility.pool_of(number);
  }
  return pools;
}

void change_rules(const Turn& turn, Eligibility next) {
  auto& state = turn.state;
  const auto before = leased(state);
  // Private agents are renumbered while the former rules still stand: they go by the numbers of classes,
  // which change.
  state.private_agents.renumber(state.eligibility.kept_in(next), next);
  note_returned(turn, before);
  state.eligibility = std::move(next);
  for (const auto& [id, index] : state.frameworks.in_order()) {
    auto& framework = state.frameworks[index];
    framework.place.eligibility = state.eligibility.class_of(framework.place.pool);
  }
  // Frameworks have their new classes by now, agents admit the new classes from here on, and only then it
  // shows which offers would not be made any more. The frameworks become hungry last, for what that gave back
  // too.
  for (const auto& [id, index] : state.cluster.in_order()) admit_anew(turn, state.cluster[index]);
  rescind_misplaced(turn);
  for (const auto& [id, index] : state.frameworks.in_order()) {
    for (const auto kind : state.shares.kinds()) state.shares.note_hungry(index, kind);
  }
}

}  // namespace

void admit_anew(const Turn& turn, AgentRecord& agent) {
  auto& state = turn.state;
  const bool counted = agent.counted;
  // The capacity of a class is that of agents which count, so an agent does not count while its classes
  // change.
  if (counted) discount(state, agent);
  state.cluster.set_admits(agent,
                           state.private_agents.admits(agent.index, state.eligibility.admits(agent.info)));
  if (counted) count(state, agent);
  state.cluster.relist(agent);
  agent_changed(state, agent);
}

/// Pools that may not have every agent any more, or have one in them that may not, are watched no longer.
void change_places(const Turn& turn) {
  auto& state = turn.state;
  if (Eligibility next(state.config.pools); next != state.eligibility) change_rules(turn, std::move(next));
  const auto before = std::exchange(state.starvation.watched,
                                    watched_pools(state.config, state.eligibility, state.shares.tree()));
  for (const auto& pool : before) {
    if (!state.starvation.watches(pool.pool)) state.starvation.forget(pool.pool);
  }
}

void rescind_misplaced(const Turn& turn) {
  auto& state = turn.state;
  std::vector<OfferId> misplaced;
  for (const auto& [n, offer] : state.offers.all()) {
    const auto& framework = state.frameworks[offer.framework];
    if (!state.cluster[offer.agent].admits[framework.place.eligibility]) misplaced.push_back(offer.id);
  }
  for (const auto id : misplaced) rescind_one(turn, id);
}

}  // namespace proffer::allocator
