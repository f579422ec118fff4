#include "allocator/tables/cluster_table.hpp"

#include <algorithm>
#include <utility>

#include "proffer/bulk.hpp"
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

/// Adds free units to those of their kind.
void free_up(Slots& slots, Lot lot) {
  is_bulk(slots.kind) ? join_whole(slots.free, lot) : join(slots.free, lot);
}

std::int64_t of_class(const std::vector<std::int64_t>& by_class, std::size_t eligibility) {
  return eligibility < by_class.size() ? by_class[eligibility] : 0;
}

}  // namespace

// ---- the ledger ----

void ClusterTable::remove(AgentRecord& agent) {
  for (auto& slots : agent.slots) {
    slots.free.clear();  // an agent without free slots leaves all lists
    relist(agent, slots);
  }
  AgentTable::remove(agent);
}

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

bool ClusterTable::has_room(const AgentRecord& agent, const Resources& resources) const {
  return std::all_of(resources.begin(), resources.end(), [&](const Resources::Entry& entry) {
    return free_units(agent, entry.first) >= entry.second;
  });
}

void ClusterTable::set_slots(AgentRecord& agent, const Resources& total, Stamp round) {
  PROFFER_CHECK(!agent.counted, "slots change while they count");
  agent.total = total;
  for (const auto& [kind, units] : total) known_slots(agent, kind);
  for (auto& slots : agent.slots) {
    PROFFER_CHECK(slots.offered == 0, "slots change under an offer");
    slots.total = total[slots.kind];
    slots.free.clear();
    free_up(slots, {std::max<std::int64_t>(0, slots.total - slots.used), round, true});
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
    free_up(slots, lot);
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
    free_up(slots, {std::clamp<std::int64_t>(room, 0, units), round, true});
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

// ---- agents that can be offered ----

void ClusterTable::set_admits(AgentRecord& agent, std::vector<bool> admits) {
  PROFFER_CHECK(!agent.counted, "who may be offered an agent changes while it counts");
  // Off the list under the former classes: the counts by class were raised for those.
  for (const auto& slots : agent.slots) unlist(agent, slots.kind);
  agent.admits = std::move(admits);
  relist(agent);
}

void ClusterTable::set_reach(AgentRecord& agent, Reach reach) {
  note_reach(agent, reach);
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
  agent.service.trouble = std::move(why);
  relist(agent);
}

void ClusterTable::set_wish(AgentRecord& agent, AgentWish wish) {
  note_wish(agent, wish);
  relist(agent);
}

void ClusterTable::relist(AgentRecord& agent) {
  for (const auto& slots : agent.slots) relist(agent, slots);
}

void ClusterTable::relist(const AgentRecord& agent, const Slots& slots) {
  const bool open = offerable(agent) && !slots.closed && !rides_along(slots.kind);
  if (!open || slots.free.empty()) return unlist(agent, slots.kind);
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
    PROFFER_CHECK(listed == (offerable(agent) && !slots.closed && free > 0 && !rides_along(slots.kind)),
                  "the list of free slots is right");
    PROFFER_CHECK(!is_bulk(slots.kind) || slots.free.size() <= 1, "free bulk resources are one lot");
  }
}

void ClusterTable::check_totals() const {
  for (const auto& [kind, totals] : totals_) {
    ByClass agents_with_free(totals.agents_with_free.size());
    ByClass capacity(totals.capacity.size());
    for (const auto& [id, index] : totals.with_free) tally(agents_with_free, (*this)[index], 1);
    for (const auto& [id, index] : in_order()) {
      const auto& agent = (*this)[index];
      const auto units = agent.total[kind];
      if (agent.counted && units > 0) tally(capacity, agent, units);
    }
    PROFFER_CHECK(agents_with_free == totals.agents_with_free, "agents with free slots are miscounted");
    PROFFER_CHECK(capacity == totals.capacity, "the capacity of a class is wrong");
  }
}

void ClusterTable::check_invariants(bool settled) const {
  AgentTable::check_invariants();
  check_totals();
  for (const auto& [id, index] : in_order()) check_agent((*this)[index], settled);
}

}  // namespace proffer::allocator
