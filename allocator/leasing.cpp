#include "allocator/leasing.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "allocator/ledger.hpp"

namespace proffer::allocator {
namespace {

/// Nothing runs there, and nothing is on offer.
bool is_empty(const AgentRecord& agent) { return agent.living == 0 && agent.offers.empty(); }

/// Who may be offered its slots has changed.
void open_to_owner(const Turn& turn, AgentRecord& agent) {
  auto& state = turn.state;
  const bool counted = agent.counted;
  if (counted) discount(state, agent);
  state.cluster.set_admits(agent,
                           state.private_agents.admits(agent.index, state.eligibility.admits(agent.info)));
  if (counted) count(state, agent);
  state.cluster.relist(agent);
  agent_changed(state, agent);
}

bool wants(const AllocatorState& state, LeafId leaf) {
  const auto& kinds = state.shares.kinds();
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](Kind kind) { return state.shares.tree().demand(leaf, kind) > 0; });
}

std::set<std::size_t> classes_that_want(const AllocatorState& state) {
  std::set<std::size_t> wanting;
  for (const auto& [id, leaf] : state.frameworks.in_order()) {
    const auto of = state.frameworks[leaf].eligibility;
    if (!wanting.contains(of) && wants(state, leaf)) wanting.insert(of);
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
    } else if (!wants_now) {
      lease.asked.reset();
    } else if (!lease.asked) {
      lease.asked = turn.now;
    }
  }
}

/// Agents that could be some class's, in order of their ids, which are drawn at random.
std::vector<AgentIndex> available(AllocatorState& state, std::size_t number, std::size_t& eligible) {
  std::vector<AgentIndex> free;
  for (const auto& [id, index] : state.cluster.in_order()) {
    const auto& agent = state.cluster[index];
    if (!agent.counted || !ClusterTable::offerable(agent)) continue;
    if (!state.eligibility.admits(agent.info)[number]) continue;
    ++eligible;
    if (!state.private_agents.owner(index) && is_empty(agent)) free.push_back(index);
  }
  return free;
}

/// False when it has to wait on. Who wants more than there could ever be gets all.
bool assign(const Turn& turn, std::size_t number, std::size_t wanted) {
  auto& state = turn.state;
  std::size_t eligible = 0;
  auto free = available(state, number, eligible);
  wanted = std::min(wanted, eligible);
  if (free.size() < wanted || wanted == 0) return false;
  free.resize(wanted);
  for (const auto index : free) {
    state.private_agents.assign(number, index);
    open_to_owner(turn, state.cluster[index]);
  }
  for (const auto& [id, leaf] : state.frameworks.in_order()) {
    if (state.frameworks[leaf].eligibility != number) continue;
    for (const auto kind : state.shares.kinds()) state.shares.note_hungry(leaf, kind);
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
  for (const auto& [asked, number] : waiting) {
    auto& lease = leases.by_class().at(number);
    if (!assign(turn, number, lease.wanted)) return;  // nobody overtakes
    lease.asked.reset();
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
      state.private_agents.take_back(index);
      open_to_owner(turn, state.cluster[index]);
    }
    return true;
  }
  return false;
}

}  // namespace proffer::allocator
