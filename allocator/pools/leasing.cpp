#include "allocator/pools/leasing.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "allocator/pools/places.hpp"
#include "proffer/bulk.hpp"

namespace proffer::allocator {
namespace {

/// Returns whether nothing runs on the agent, and nothing is on offer.
bool is_empty(const AgentRecord& agent) { return agent.living == 0 && agent.offers.empty(); }

bool wants(const State& state, FrameworkIndex index) {
  const auto& kinds = state.shares.kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](Kind kind) {
    return !rides_along(kind) && state.shares.tree().demand(index, kind) > 0;
  });
}

/// Returns the classes with private agents whose frameworks want slots.
std::set<std::size_t> classes_that_want(State& state) {
  const auto& leases = state.private_agents.by_class();
  std::set<std::size_t> wanting;
  for (const auto& [id, index] : state.frameworks.in_order()) {
    const auto of = state.frameworks[index].place.eligibility;
    if (leases.contains(of) && !wanting.contains(of) && wants(state, index)) wanting.insert(of);
  }
  return wanting;
}

void note_wants(const Turn& turn) {
  const auto wanting = classes_that_want(turn.state);
  for (auto& [number, lease] : turn.state.private_agents.by_class()) {
    const bool wants_now = wanting.contains(number);
    if (!lease.agents.empty()) {
      lease.asked.reset();
      if (wants_now) lease.idle.reset();
      if (!wants_now && !lease.idle) lease.idle = turn.now;
      continue;
    }
    lease.idle.reset();  // the last of its agents may have been lost
    if (!wants_now) lease.asked.reset();
    if (wants_now && !lease.asked) lease.asked = turn.now;
  }
}

/// Returns the free agents that class `number` gets, in the order of their ids, which are drawn at random:
/// `wanted` of them, or all that are eligible when `wanted` is more. Empty when fewer are free: the class has
/// to wait on. Agents that a class in `ahead` may have too are not counted as free: those classes have waited
/// for longer.
std::vector<AgentIndex> available(const State& state, std::size_t number, std::size_t wanted,
                                  const std::vector<std::size_t>& ahead) {
  std::vector<AgentIndex> free;
  std::size_t eligible = 0;
  for (const auto& [id, index] : state.cluster.in_order()) {
    if (free.size() == wanted) break;
    const auto& agent = state.cluster[index];
    if (!agent.counted || !ClusterTable::offerable(agent)) continue;
    const bool is_free = !state.private_agents.owner(index) && is_empty(agent);
    if (!is_free && eligible >= wanted) continue;
    const auto may_have = [&](std::size_t other) { return state.eligibility.admits(agent.info, other); };
    if (!may_have(number)) continue;
    ++eligible;
    if (is_free && std::none_of(ahead.begin(), ahead.end(), may_have)) free.push_back(index);
  }
  if (free.size() < std::min(wanted, eligible)) free.clear();
  return free;
}

/// Assigns agents to class `number`; false when the class has to wait on.
bool assign(const Turn& turn, std::size_t number, std::size_t wanted, const std::vector<std::size_t>& ahead) {
  auto& state = turn.state;
  const auto agents = available(state, number, wanted, ahead);
  if (agents.empty()) return false;
  for (const auto index : agents) {
    state.private_agents.assign(number, index);
    admit_anew(turn, state.cluster[index]);  // after assign(): it asks whose the agent is
    turn.trace(
        AgentLeased{state.cluster[index].info.id, std::string(state.eligibility.pool_of(number)), false});
  }
  for (const auto& [id, index] : state.frameworks.in_order()) {
    if (state.frameworks[index].place.eligibility != number) continue;
    for (const auto kind : state.shares.kinds()) state.shares.note_hungry(index, kind);
  }
  return true;
}

}  // namespace

void assign_private_agents(const Turn& turn) {
  auto& leases = turn.state.private_agents;
  if (!leases.any()) return;
  note_wants(turn);
  std::vector<std::pair<Time, std::size_t>> waiting;
  for (const auto& [number, lease] : leases.by_class()) {
    if (lease.asked) waiting.emplace_back(*lease.asked, number);
  }
  std::sort(waiting.begin(), waiting.end());
  // Classes that could not be served keep the agents that they may have from all who asked later: else a
  // class that wants many would be overtaken for ever by classes that want few.
  std::vector<std::size_t> ahead;
  for (const auto& [asked, number] : waiting) {
    auto& lease = leases.by_class().at(number);
    if (assign(turn, number, lease.wanted, ahead)) {
      lease.asked.reset();
    } else {
      ahead.push_back(number);
    }
  }
}

bool return_private_agents(const Turn& turn) {
  auto& state = turn.state;
  for (auto& [number, lease] : state.private_agents.by_class()) {
    if (!lease.idle || *lease.idle + lease.return_after > turn.now) continue;
    const auto agents = lease.agents;
    const auto empty = [&](AgentIndex index) { return is_empty(state.cluster[index]); };
    if (!std::all_of(agents.begin(), agents.end(), empty)) {
      lease.idle = turn.now;  // what ends there has not been heard of yet
      return true;
    }
    lease.idle.reset();
    for (const auto index : agents) {
      state.private_agents.release(index);  // first: admit_anew() asks whose the agent is
      admit_anew(turn, state.cluster[index]);
      turn.trace(
          AgentLeased{state.cluster[index].info.id, std::string(state.eligibility.pool_of(number)), true});
    }
    return true;
  }
  return false;
}

}  // namespace proffer::allocator
