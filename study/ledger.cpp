#include "proffer/study/ledger.hpp"

#include <algorithm>
#include <utility>

#include "proffer/bulk.hpp"
#include "proffer/check.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::study {
namespace {

void add_slots(std::map<Kind, std::int64_t>& capacity, const AgentAccount& agent, std::int64_t times) {
  if (agent.lost) return;
  for (const auto& [kind, units] : agent.slots) capacity[kind] += times * units;
}

}  // namespace

std::int64_t AgentAccount::free(Kind kind) const { return trouble.empty() ? unused(kind) : 0; }

std::int64_t AgentAccount::unused(Kind kind) const {
  if (lost) return 0;
  const auto at = taken.find(kind);
  const auto used = at == taken.end() ? 0 : at->second.running + at->second.offered;
  return std::max<std::int64_t>(0, slots[kind] - used);
}

SlotCount FrameworkAccount::has(Kind kind) const {
  const auto at = taken.find(kind);
  return at == taken.end() ? SlotCount{} : at->second;
}

std::int64_t FrameworkAccount::demands(Kind kind) const {
  const auto at = demand.find(kind);
  return at == demand.end() ? 0 : at->second;
}

std::int64_t FrameworkAccount::wants(Kind kind) const {
  const auto mine = has(kind);
  return std::max<std::int64_t>(0, demands(kind) - mine.running - mine.offered);
}

// ---- agents ----

const Ledger::Changes& Ledger::apply(const AgentRegistered& line, Time) {
  changes_.clear();
  auto& agent = agents_[line.agent];
  // An agent may register anew with other slots: the former ones go first, as they were counted.
  add_slots(capacity_, agent, -1);
  agent.name = line.name;
  agent.rack = line.rack;
  agent.slots = line.slots;
  agent.lost = false;
  add_slots(capacity_, agent, 1);
  return changes_;
}

const Ledger::Changes& Ledger::apply(const AgentLost& line, Time) {
  changes_.clear();
  auto& agent = agents_[line.agent];
  add_slots(capacity_, agent, -1);
  agent.lost = true;
  agent.leased_to.reset();
  return changes_;
}

const Ledger::Changes& Ledger::apply(const AgentTrouble& line, Time) {
  changes_.clear();
  agents_[line.agent].trouble = line.why;
  return changes_;
}

const Ledger::Changes& Ledger::apply(const AgentLeased& line, Time) {
  changes_.clear();
  auto& leased_to = agents_[line.agent].leased_to;
  if (!line.returned) {
    leased_to = line.pool;
  } else if (leased_to == line.pool) {
    leased_to.reset();
  }
  return changes_;
}

// ---- frameworks ----

FrameworkId Ledger::account_of(FrameworkId id) const {
  const auto at = joined_.find(id);
  return at == joined_.end() ? id : at->second;
}

void Ledger::join(FrameworkId other, FrameworkId framework) {
  const auto account = account_of(framework);
  if (other != account) joined_[other] = account;
}

const Ledger::Changes& Ledger::apply(const FrameworkSubscribed& line, Time) {
  changes_.clear();
  frameworks_[account_of(line.framework)].name = line.name;
  return changes_;
}

const Ledger::Changes& Ledger::apply(const DemandChanged& line, Time) {
  changes_.clear();
  frameworks_[account_of(line.framework)].demand[line.kind] = line.demand < 0 ? kUnbounded : line.demand;
  return changes_;
}

void Ledger::forget_demand(FrameworkId framework) {
  const auto at = frameworks_.find(account_of(framework));
  if (at != frameworks_.end()) at->second.demand.clear();
}

// ---- offers ----

void Ledger::take(FrameworkId framework, AgentId agent, Kind kind, SlotCount by) {
  for (auto* taken : {&frameworks_[framework].taken[kind], &agents_[agent].taken[kind]}) {
    taken->running += by.running;
    taken->offered += by.offered;
  }
  changes_.push_back({framework, agent, kind, by});
}

const Ledger::Changes& Ledger::apply(const OfferMade& line, Time now) {
  close(line.offer);
  const auto framework = account_of(line.framework);
  offers_[line.offer] = {framework, line.agent, line.resources, now};
  for (const auto& [kind, units] : line.resources) take(framework, line.agent, kind, {0, units});
  return changes_;
}

const Ledger::Changes& Ledger::close(OfferId id) {
  changes_.clear();
  const auto node = offers_.extract(id);
  if (node.empty()) return changes_;
  const auto& offer = node.mapped();
  for (const auto& [kind, units] : offer.resources) take(offer.framework, offer.agent, kind, {0, -units});
  return changes_;
}

const Ledger::Changes& Ledger::apply(const OfferAccepted& line, Time) {
  const auto at = offers_.find(line.offer);
  const bool closed = rest_ == Rest::closed || at == offers_.end();
  if (closed || at->second.resources[kCpus] > 0) return close(line.offer);
  changes_.clear();
  auto& offer = at->second;
  offer.is_rest = true;
  for (const auto& [kind, units] : Resources(offer.resources)) {
    const auto left = std::max<std::int64_t>(0, units - line.tasks);
    offer.resources.set(kind, left);
    take(offer.framework, offer.agent, kind, {0, left - units});
  }
  if (offer.resources.empty()) offers_.erase(at);
  return changes_;
}

const Ledger::Changes& Ledger::apply(const OfferDeclined& line, Time) { return close(line.offer); }

const Ledger::Changes& Ledger::apply(const OfferRescinded& line, Time) { return close(line.offer); }

const Ledger::Changes& Ledger::apply(const OfferExpired& line, Time) { return close(line.offer); }

// ---- tasks ----

void Ledger::set_counts(Held& held, bool counts, Time now) {
  auto& [key, task] = held;
  if (std::exchange(task.counts, counts) == counts) return;
  for (const auto& [kind, units] : task.resources) {
    take(key.framework, task.agent, kind, {counts ? units : -units, 0});
  }
  auto& agent = agents_[task.agent];
  if (counts) {
    agent.tasks.insert(key);
  } else {
    agent.tasks.erase(key);
    agent.changed = now;
  }
}

const Ledger::Changes& Ledger::apply(const TaskLaunched& line, Time now) {
  changes_.clear();
  const auto [at, is_new] = tasks_.try_emplace({account_of(line.framework), line.task});
  // A program that lives again may give its tasks the ids of former ones: these are over.
  if (!is_new) set_counts(*at, false, now);
  at->second = {line.agent, line.resources, now};
  set_counts(*at, true, now);
  return changes_;
}

const Ledger::Changes& Ledger::apply(const TaskChanged& line, Time now) {
  changes_.clear();
  const auto at = tasks_.find({account_of(line.framework), line.task});
  if (at == tasks_.end()) return changes_;
  if (is_terminal(line.state)) {
    set_counts(*at, false, now);
    tasks_.erase(at);
  } else if (line.state == TaskState::unreachable) {
    set_counts(*at, false, now);
    at->second.away = true;
  } else {
    at->second.away = false;
    set_counts(*at, true, now);
  }
  return changes_;
}

const Ledger::Changes& Ledger::restart() {
  changes_.clear();
  for (auto& held : tasks_) set_counts(held, false, {});
  for (const auto& [id, offer] : std::exchange(offers_, {})) {
    for (const auto& [kind, units] : offer.resources) take(offer.framework, offer.agent, kind, {0, -units});
  }
  agents_.clear();
  for (auto& [kind, units] : capacity_) units = 0;
  for (auto& [id, framework] : frameworks_) {
    framework.taken.clear();
    framework.demand.clear();
  }
  return changes_;
}

// ---- questions ----

const FrameworkAccount& Ledger::framework(FrameworkId id) const {
  static const FrameworkAccount kNone;
  const auto at = frameworks_.find(account_of(id));
  return at == frameworks_.end() ? kNone : at->second;
}

const AgentAccount* Ledger::agent(AgentId id) const {
  const auto at = agents_.find(id);
  return at == agents_.end() ? nullptr : &at->second;
}

const OpenOffer* Ledger::offer(OfferId id) const {
  const auto at = offers_.find(id);
  return at == offers_.end() ? nullptr : &at->second;
}

const HeldTask* Ledger::task(const FrameworkTask& task) const {
  const auto at = tasks_.find({account_of(task.framework), task.task});
  return at == tasks_.end() ? nullptr : &at->second;
}

void Ledger::check_invariants() const {
  using Taken = std::map<Kind, SlotCount>;
  std::map<FrameworkId, Taken> had;
  std::map<AgentId, Taken> taken;
  for (const auto& [id, offer] : offers_) {
    for (const auto& [kind, units] : offer.resources) {
      had[offer.framework][kind].offered += units;
      taken[offer.agent][kind].offered += units;
    }
  }
  for (const auto& [key, task] : tasks_) {
    if (!task.counts) continue;
    PROFFER_CHECK(!task.away, "a task of a silent agent counts");
    for (const auto& [kind, units] : task.resources) {
      had[key.framework][kind].running += units;
      taken[task.agent][kind].running += units;
    }
  }
  const auto check = [](const Taken& known, Taken& counted) {
    for (const auto& [kind, count] : known) {
      PROFFER_CHECK(counted[kind].running == count.running, "slots run that no held task has");
      PROFFER_CHECK(counted[kind].offered == count.offered, "slots are on offer in no open offer");
      counted.erase(kind);
    }
    PROFFER_CHECK(counted.empty(), "slots are taken that are in no account");
  };
  for (const auto& [id, framework] : frameworks_) check(framework.taken, had[id]);
  for (const auto& [id, agent] : agents_) check(agent.taken, taken[id]);
}

}  // namespace proffer::study
