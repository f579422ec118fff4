#include "catalog/tables/replica_table.hpp"

#include "proffer/check.hpp"

namespace proffer::catalog {

void ReplicaTable::replace(AgentId agent, Blocks blocks) {
  forget(agent);
  for (const auto& [block, length] : blocks) holders_[block].emplace(agent, length);
  shelves_[agent].held = std::move(blocks);
}

void ReplicaTable::add(AgentId agent, BlockId block, std::uint64_t length) {
  auto& shelf = shelves_[agent];
  shelf.held[block] = length;
  holders_[block][agent] = length;
  // A replica that is stored again is not the one that was condemned.
  shelf.condemned.erase(block);
  if (shelf.planned.erase(block) == 0) return;
  const auto planned = planned_.find(block);
  planned->second.erase(agent);
  if (planned->second.empty()) planned_.erase(planned);
}

void ReplicaTable::remove(AgentId agent, BlockId block) {
  const auto shelf = shelves_.find(agent);
  if (shelf == shelves_.end() || shelf->second.held.erase(block) == 0) return;
  shelf->second.condemned.erase(block);
  const auto holders = holders_.find(block);
  holders->second.erase(agent);
  if (holders->second.empty()) holders_.erase(holders);
}

void ReplicaTable::forget(AgentId agent) {
  const auto shelf = shelves_.find(agent);
  if (shelf == shelves_.end()) return;
  const auto leave = [agent](auto& agents_by_block, BlockId block) {
    const auto agents = agents_by_block.find(block);
    agents->second.erase(agent);
    if (agents->second.empty()) agents_by_block.erase(agents);
  };
  for (const auto& [block, length] : shelf->second.held) leave(holders_, block);
  for (const auto block : shelf->second.planned) leave(planned_, block);
  shelves_.erase(shelf);
}

void ReplicaTable::plan(AgentId agent, BlockId block) {
  shelves_[agent].planned.insert(block);
  planned_[block].insert(agent);
}

void ReplicaTable::unplan(BlockId block) {
  const auto planned = planned_.find(block);
  if (planned == planned_.end()) return;
  for (const auto agent : planned->second) shelves_.at(agent).planned.erase(block);
  planned_.erase(planned);
}

void ReplicaTable::expect_by(Time deadline, BlockId block) { expected_.emplace(deadline, block); }

bool ReplicaTable::expire_plans(Time now) {
  bool any = false;
  while (!expected_.empty() && expected_.begin()->first <= now) {
    any |= planned_.contains(expected_.begin()->second);
    unplan(expected_.begin()->second);
    expected_.erase(expected_.begin());
  }
  return any;
}

void ReplicaTable::condemn(AgentId agent, BlockId block) {
  const auto shelf = shelves_.find(agent);
  if (shelf != shelves_.end() && shelf->second.held.contains(block)) shelf->second.condemned.insert(block);
}

const ReplicaTable::Shelf& ReplicaTable::shelf_of(AgentId agent) const {
  static const Shelf kEmpty;
  const auto shelf = shelves_.find(agent);
  return shelf == shelves_.end() ? kEmpty : shelf->second;
}

const ReplicaTable::Blocks& ReplicaTable::held_by(AgentId agent) const { return shelf_of(agent).held; }

const ReplicaTable::Holders& ReplicaTable::holders_of(BlockId block) const {
  static const Holders kNone;
  const auto holders = holders_.find(block);
  return holders == holders_.end() ? kNone : holders->second;
}

const std::set<AgentId>& ReplicaTable::planned_for(BlockId block) const {
  static const std::set<AgentId> kNone;
  const auto planned = planned_.find(block);
  return planned == planned_.end() ? kNone : planned->second;
}

const std::set<BlockId>& ReplicaTable::condemned_at(AgentId agent) const { return shelf_of(agent).condemned; }

std::uint64_t ReplicaTable::load_of(AgentId agent) const {
  const auto& shelf = shelf_of(agent);
  return shelf.held.size() + shelf.planned.size();
}

void ReplicaTable::check_invariants() const {
  std::size_t replicas = 0;
  std::size_t planned = 0;
  for (const auto& [agent, shelf] : shelves_) {
    for (const auto& [block, length] : shelf.held) {
      const auto& holders = holders_of(block);
      const auto holder = holders.find(agent);
      PROFFER_CHECK(holder != holders.end() && holder->second == length, "a holder does not know its block");
    }
    for (const auto block : shelf.condemned) {
      PROFFER_CHECK(shelf.held.contains(block), "a condemned replica is not held");
    }
    for (const auto block : shelf.planned) {
      const auto agents = planned_.find(block);
      PROFFER_CHECK(agents != planned_.end() && agents->second.contains(agent), "a plan has no block");
    }
    replicas += shelf.held.size();
    planned += shelf.planned.size();
  }
  for (const auto& [block, holders] : holders_) replicas -= holders.size();
  for (const auto& [block, agents] : planned_) planned -= agents.size();
  PROFFER_CHECK(replicas == 0, "a block has a holder that does not hold it");
  PROFFER_CHECK(planned == 0, "a block is planned for an agent that does not expect it");
}

}  // namespace proffer::catalog
