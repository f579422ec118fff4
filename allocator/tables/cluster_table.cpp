#include "allocator/tables/cluster_table.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::allocator {
namespace {

/// Adds units to each class that an agent admits.
void tally(std::vector<std::int64_t>& by_class, const AgentRecord& agent, std::int64_t units) {
  by_class.resize(std::max(by_class.size(), agent.admits.size()));
  for (std::size_t i = 0; i < agent.admits.size(); ++i) {
    if (agent.admits[i]) by_class[i] += units;
  }
}

std::int64_t of_class(const std::vector<std::int64_t>& by_class, std::size_t eligibility) {
  return eligibility < by_class.size() ? by_class[eligibility] : 0;
}

}  // namespace

AgentRecord& ClusterTable::add(AgentInfo info, PeerId brought_by) {
  PROFFER_CHECK(!by_id_.contains(info.id) && !by_name_.contains(info.name), "an agent is added twice");
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

void ClusterTable::remove(AgentRecord& agent) {
  PROFFER_CHECK(agent.offers.empty() && agent.tasks.empty(), "an agent is removed with what it holds");
  for (auto& slots : agent.slots) {
    slots.free.clear();  // an agent without free slots leaves all lists
    relist(agent, slots);
  }
  by_id_.erase(agent.info.id);
  by_name_.erase(agent.info.name);
  brought_.remove(agent.brought_by);
  free_indices_.push_back(agent.index);
  agents_[agent.index.value].reset();
}

void ClusterTable::rename(AgentRecord& agent, AgentInfo info) {
  PROFFER_CHECK(agent.info.id == info.id, "an agent keeps its id");
  by_name_.erase(agent.info.name);
  PROFFER_CHECK(!by_name_.contains(info.name), "two agents of one name");
  agent.info = std::move(info);
  by_name_[agent.info.name] = agent.index;
}

AgentRecord* ClusterTable::find(AgentId id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : agents_[found->second.value].get();
}

AgentRecord* ClusterTable::find_name(std::string_view name) {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : agents_[found->second.value].get();
}

AgentRecord* ClusterTable::next_to_forget() {
  AgentRecord* next = nullptr;
  for (const auto& [id, index] : by_id_) {
    auto& agent = (*this)[index];
    if (agent.reach != Reach::unreachable || !agent.tasks.empty()) continue;
    if (next == nullptr || agent.contact.heard < next->contact.heard) next = &agent;
  }
  return next;
}

AgentRecord& ClusterTable::operator[](AgentIndex index) {
  PROFFER_CHECK(has(index), "no such agent");
  return *agents_[index.value];
}

const AgentRecord& ClusterTable::operator[](AgentIndex index) const {
  PROFFER_CHECK(has(index), "no such agent");
  return *agents_[index.value];
}

// ---- the ledger ----

Slots* ClusterTable::slots_of(AgentRecord& agent, Kind kind) {
  for (auto& slots : agent.slots) {
    if (slots.kind == kind) return &slots;
  }
  return nullptr;
}

Slots& ClusterTable::known_slots(AgentRecord& agent, Kind kind) {
  if (auto* slots = slots_of(agent, kind)) return *slots;
  auto at = std::find_if(agent.slots.begin(), agent.slots.end(),
                         [kind](const Slots& slots) { return kind < slots.kind; });
  Slots slots;
  slots.kind = kind;
  return *agent.slots.insert(at, std::move(slots));
}

std::int64_t ClusterTable::free_units(const AgentRecord& agent, Kind kind) const {
  for (const auto& slots : agent.slots) {
    if (slots.kind == kind) return units_of(slots.free);
  }
  return 0;
}

void ClusterTable::set_slots(AgentRecord& agent, const Resources& total, Stamp round) {
  PROFFER_CHECK(!agent.counted, "slots change while they count");
  agent.total = total;
  for (const auto& [kind, units] : total) known_slots(agent, kind);
  for (auto& slots : agent.slots) {
    PROFFER_CHECK(slots.offered == 0, "slots change under an offer");
    slots.total = total[slots.kind];
    slots.free.clear();
    join(slots.free, {std::max<std::int64_t>(0, slots.total - slots.used), round, true});
    relist(agent, slots);
  }
}

Lot ClusterTable::offer(AgentRecord& agent, Kind kind, std::size_t position, std::int64_t units) {
  auto& slots = known_slots(agent, kind);
  PROFFER_CHECK(position < slots.free.size() && slots.free[position].units >= units, "it is free");
  auto taken = slots.free[position];
  taken.units = units;
  slots.free[position].units -= units;
  if (slots.free[position].units == 0) {
    slots.free.erase(slots.free.begin() + static_cast<std::ptrdiff_t>(position));
  }
  slots.offered += units;
  if (slots.free.empty()) relist(agent, slots);
  return taken;
}

void ClusterTable::give_back(AgentRecord& agent, Kind kind, Lots lots) {
  auto& slots = known_slots(agent, kind);
  slots.offered -= units_of(lots);
  for (auto& lot : lots) {
    lot.fresh = true;
    join(slots.free, lot);
  }
  relist(agent, slots);
}

void ClusterTable::use_offered(AgentRecord& agent, Kind kind, std::int64_t units) {
  auto& slots = known_slots(agent, kind);
  slots.offered -= units;
  slots.used += units;
}

void ClusterTable::end_use(AgentRecord& agent, const Resources& resources, Stamp round) {
  for (const auto& [kind, units] : resources) {
    auto& slots = known_slots(agent, kind);
    slots.used -= units;
    // An agent that came back with fewer slots frees none before its tasks fit again.
    const auto room = slots.total - slots.used - slots.offered - units_of(slots.free);
    join(slots.free, {std::clamp<std::int64_t>(room, 0, units), round, true});
    relist(agent, slots);
  }
}

void ClusterTable::claim(AgentRecord& agent, const Resources& resources) {
  for (const auto& [kind, units] : resources) known_slots(agent, kind).used += units;
}

void ClusterTable::unclaim_all(AgentRecord& agent) {
  for (auto& slots : agent.slots) slots.used = 0;
}

void ClusterTable::no_longer_fresh(AgentRecord& agent, Kind kind) {
  auto* slots = slots_of(agent, kind);
  if (slots == nullptr) return;
  Lots stale;
  for (auto lot : slots->free) {
    lot.fresh = false;
    join(stale, lot);
  }
  slots->free = std::move(stale);
}

void ClusterTable::set_counted(AgentRecord& agent, bool counted) {
  if (std::exchange(agent.counted, counted) == counted) return;
  for (const auto& [kind, units] : agent.total) {
    tally(totals_[kind].capacity, agent, counted ? units : -units);
  }
}

std::int64_t ClusterTable::capacity(Kind kind, std::size_t eligibility) const {
  const auto found = totals_.find(kind);
  return found == totals_.end() ? 0 : of_class(found->second.capacity, eligibility);
}

// ---- who can be offered ----

void ClusterTable::set_admits(AgentRecord& agent, std::vector<bool> admits) {
  PROFFER_CHECK(!agent.counted, "who may be offered an agent changes while it counts");
  // Off the list under the former classes: the counts by class were raised for those.
  for (const auto& slots : agent.slots) unlist(agent, slots.kind);
  agent.admits = std::move(admits);
  relist(agent);
}

void ClusterTable::set_reach(AgentRecord& agent, Reach reach) {
  agent.reach = reach;
  relist(agent);
}

void ClusterTable::close(const AgentRecord& agent, Slots& slots) {
  slots.closed = true;
  relist(agent, slots);
}

void ClusterTable::open(const AgentRecord& agent, Slots& slots) {
  slots.closed = false;
  relist(agent, slots);
}

void ClusterTable::set_trouble(AgentRecord& agent, std::string why) {
  agent.trouble = std::move(why);
  relist(agent);
}

void ClusterTable::relist(AgentRecord& agent) {
  for (const auto& slots : agent.slots) relist(agent, slots);
}

void ClusterTable::relist(const AgentRecord& agent, const Slots& slots) {
  if (!offerable(agent) || slots.closed || slots.free.empty()) return unlist(agent, slots.kind);
  auto& totals = totals_[slots.kind];
  const bool is_new = totals.with_free.emplace(agent.info.id, agent.index).second;
  if (is_new) tally(totals.agents_with_free, agent, 1);
}

void ClusterTable::unlist(const AgentRecord& agent, Kind kind) {
  auto& totals = totals_[kind];
  const bool was_listed = totals.with_free.erase({agent.info.id, agent.index}) > 0;
  if (was_listed) tally(totals.agents_with_free, agent, -1);
}

const ClusterTable::Listed& ClusterTable::with_free(Kind kind) const {
  static const Listed none;
  const auto found = totals_.find(kind);
  return found == totals_.end() ? none : found->second.with_free;
}

bool ClusterTable::any_free(Kind kind, std::size_t eligibility) const {
  const auto found = totals_.find(kind);
  return found != totals_.end() && of_class(found->second.agents_with_free, eligibility) > 0;
}

void ClusterTable::check_agent(const AgentRecord& agent, bool settled) const {
  for (const auto& slots : agent.slots) {
    const auto free = units_of(slots.free);
    const bool full = slots.used > slots.total && free == 0 && slots.offered == 0;
    PROFFER_CHECK(full || free + slots.offered + slots.used == slots.total,
                  "free + offered + used = total, on each agent and of each kind");
    PROFFER_CHECK(slots.used >= 0 && slots.offered >= 0, "a quantity below zero");
    for (const auto& lot : slots.free) {
      PROFFER_CHECK(lot.units > 0 && !(settled && lot.fresh && !slots.closed), "an empty or fresh lot");
    }
    const bool listed = with_free(slots.kind).contains({agent.info.id, agent.index});
    PROFFER_CHECK(listed == (offerable(agent) && !slots.closed && free > 0),
                  "the list of free slots is right");
  }
}

void ClusterTable::check_totals() const {
  for (const auto& [kind, totals] : totals_) {
    ByClass agents_with_free(totals.agents_with_free.size());
    ByClass capacity(totals.capacity.size());
    for (const auto& [id, index] : totals.with_free) tally(agents_with_free, (*this)[index], 1);
    for (const auto& [id, index] : by_id_) {
      const auto& agent = (*this)[index];
      if (agent.counted) tally(capacity, agent, agent.total[kind]);
    }
    PROFFER_CHECK(agents_with_free == totals.agents_with_free, "agents with free slots are miscounted");
    PROFFER_CHECK(capacity == totals.capacity, "the capacity of a class is wrong");
  }
}

void ClusterTable::check_invariants(bool settled) const {
  check_totals();
  for (const auto& [id, index] : by_id_) {
    const auto& agent = (*this)[index];
    PROFFER_CHECK(agent.info.id == id && by_name_.at(agent.info.name) == index, "an agent by id and name");
    check_agent(agent, settled);
  }
  PROFFER_CHECK(by_id_.size() == by_name_.size(), "one name an agent");
}

}  // namespace proffer::allocator
