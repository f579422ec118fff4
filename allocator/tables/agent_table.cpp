#include "allocator/tables/agent_table.hpp"

#include <utility>

#include "proffer/check.hpp"

namespace proffer::allocator {

AgentRecord& AgentTable::add(AgentInfo info, PeerId brought_by) {
  PROFFER_CHECK(!by_id_.contains(info.id), "an agent is added twice");
  AgentIndex index{static_cast<std::uint32_t>(agents_.size())};
  if (free_indices_.empty()) {
    agents_.emplace_back();
  } else {
    index = free_indices_.back();
    free_indices_.pop_back();
  }
  auto& slot = agents_[index.value];
  slot = std::make_unique<AgentRecord>();
  slot->index = index;
  slot->info = std::move(info);
  slot->brought_by = brought_by;
  brought_.add(brought_by);
  by_id_[slot->info.id] = index;
  by_name_[slot->info.name] = index;
  return *slot;
}

void AgentTable::release_name(const AgentRecord& agent) {
  const auto named = by_name_.find(agent.info.name);
  if (named != by_name_.end() && named->second == agent.index) by_name_.erase(named);
}

void AgentTable::remove(AgentRecord& agent) {
  PROFFER_CHECK(agent.offers.empty() && agent.tasks.empty(), "an agent is removed with what it holds");
  by_id_.erase(agent.info.id);
  release_name(agent);
  brought_.remove(agent.brought_by);
  free_indices_.push_back(agent.index);
  agents_[agent.index.value].reset();
}

void AgentTable::rename(AgentRecord& agent, AgentInfo info) {
  PROFFER_CHECK(agent.info.id == info.id, "an agent keeps its id");
  release_name(agent);
  agent.info = std::move(info);
  by_name_[agent.info.name] = agent.index;
}

AgentRecord* AgentTable::find(AgentId id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : agents_[found->second.value].get();
}

AgentRecord* AgentTable::find_name(std::string_view name) {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : agents_[found->second.value].get();
}

AgentRecord* AgentTable::next_to_forget() {
  AgentRecord* next = nullptr;
  for (const auto& [id, index] : by_id_) {
    auto& agent = (*this)[index];
    if (agent.reach != Reach::unreachable || !agent.tasks.empty() || !agent.past.back) continue;
    if (next == nullptr || agent.contact.heard < next->contact.heard) next = &agent;
  }
  return next;
}

AgentRecord& AgentTable::operator[](AgentIndex index) {
  PROFFER_CHECK(has(index), "no such agent");
  return *agents_[index.value];
}

const AgentRecord& AgentTable::operator[](AgentIndex index) const {
  PROFFER_CHECK(has(index), "no such agent");
  return *agents_[index.value];
}

void AgentTable::check_invariants() const {
  for (const auto& [id, index] : by_id_) {
    const auto& agent = (*this)[index];
    PROFFER_CHECK(agent.info.id == id, "an agent by its id");
    PROFFER_CHECK(!agent.contact.session || by_name_.at(agent.info.name) == index, "an agent by its name");
  }
  for (const auto& [name, index] : by_name_) {
    PROFFER_CHECK((*this)[index].info.name == name, "a name of another agent");
  }
}

}  // namespace proffer::allocator
