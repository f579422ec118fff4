#include "allocator/tables/decline_filters.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::allocator {

DeclineFilters::AgentFilters& DeclineFilters::of(AgentIndex agent) {
  if (agent.value >= agents_.size()) agents_.resize(agent.value + 1);
  return agents_[agent.value];
}

const DeclineFilters::Filter* DeclineFilters::find(const FilterKey& key) const {
  if (key.agent.value >= agents_.size()) return nullptr;
  for (const auto& [kind, by_framework] : agents_[key.agent.value].kinds) {
    if (kind != key.kind) continue;
    const auto found = by_framework.find(key.framework.value);
    return found == by_framework.end() ? nullptr : &found->second;
  }
  return nullptr;
}

void DeclineFilters::put(const FilterKey& key, const Refusal& refusal, Stamp stamp, bool surely) {
  auto& kinds = of(key.agent).kinds;
  auto at =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& known) { return known.first == key.kind; });
  if (at == kinds.end()) at = kinds.insert(at, {key.kind, ByFramework{}});
  at->second[key.framework.value] = {refusal, stamp};
  auto& refused = of(key.framework, key.kind).refused;
  surely ? refused.insert(key.agent) : refused.erase(key.agent);
}

void DeclineFilters::decline(const FilterKey& key, const Refusal& refusal, Stamp stamp) {
  put(key, refusal, stamp, refusal.until != Refusal::Until::change && refusal.too_small == 0);
  if (refusal.until == Refusal::Until::time) ends_.push(refusal.time, {key, stamp});
}

void DeclineFilters::note_offered(const FilterKey& key, Stamp stamp, Time now) {
  const auto* known = find(key);
  // A filter in force is kept: it refuses more than this round.
  if (known != nullptr && in_force(key, *known, now)) return;
  put(key, {Refusal::Until::time, Time::min(), 0}, stamp, false);
}

DeclineFilters::KindOfFramework& DeclineFilters::of(FrameworkIndex framework, Kind kind) {
  if (framework.value >= frameworks_.size()) frameworks_.resize(framework.value + 1);
  for (auto& known : frameworks_[framework.value].kinds) {
    if (known.kind == kind) return known;
  }
  return frameworks_[framework.value].kinds.emplace_back(KindOfFramework{kind, 0, {}});
}

const DeclineFilters::KindOfFramework* DeclineFilters::find(FrameworkIndex framework, Kind kind) const {
  if (framework.value >= frameworks_.size()) return nullptr;
  for (const auto& known : frameworks_[framework.value].kinds) {
    if (known.kind == kind) return &known;
  }
  return nullptr;
}

const AgentBits* DeclineFilters::surely_refused(FrameworkIndex framework, Kind kind) const {
  const auto* known = find(framework, kind);
  return known == nullptr ? nullptr : &known->refused;
}

Stamp DeclineFilters::revived_at(FrameworkIndex framework, Kind kind) const {
  const auto* known = find(framework, kind);
  const auto forgotten = framework.value < frameworks_.size() ? frameworks_[framework.value].forgotten : 0;
  return known == nullptr ? forgotten : std::max(known->revived, forgotten);
}

bool DeclineFilters::inherited(FrameworkIndex framework, const Filter& filter) const {
  return framework.value < frameworks_.size() && filter.stamp <= frameworks_[framework.value].forgotten;
}

bool DeclineFilters::lifted(const FilterKey& key, const Filter& filter) const {
  if (filter.stamp <= revived_at(key.framework, key.kind)) return true;
  return filter.refusal.until == Refusal::Until::change && filter.stamp <= agents_[key.agent.value].changed;
}

bool DeclineFilters::in_force(const FilterKey& key, const Filter& filter, Time now) const {
  if (lifted(key, filter)) return false;
  return filter.refusal.until != Refusal::Until::time || now < filter.refusal.time;
}

DeclineFilters::Verdict DeclineFilters::judge(const FilterKey& key, Stamp round, std::int64_t free,
                                              Time now) const {
  const auto* filter = find(key);
  if (filter == nullptr || inherited(key.framework, *filter)) return Verdict::open;
  const auto too_small = filter->refusal.too_small;
  const bool outgrown = too_small > 0 && free > too_small;
  if (in_force(key, *filter, now) && !outgrown) return Verdict::refused;
  return filter->stamp > round ? Verdict::next_round : Verdict::open;
}

void DeclineFilters::revived(FrameworkIndex framework, Kind kind, Stamp stamp) {
  auto& known = of(framework, kind);
  known.revived = stamp;
  known.refused.clear();
}

void DeclineFilters::agent_changed(AgentIndex agent, Stamp stamp) { of(agent).changed = stamp; }

void DeclineFilters::forget_agent(AgentIndex agent, Stamp stamp) {
  of(agent).kinds.clear();
  agent_changed(agent, stamp);  // the next agent of this index begins with a later stamp
  for (auto& framework : frameworks_) {
    for (auto& kind : framework.kinds) kind.refused.erase(agent);
  }
}

void DeclineFilters::forget_framework(FrameworkIndex framework, Stamp stamp) {
  if (framework.value >= frameworks_.size()) frameworks_.resize(framework.value + 1);
  frameworks_[framework.value] = {stamp, {}};
}

bool DeclineFilters::still_wanted(Time at, const End& end) const {
  const auto* filter = find(end.key);
  return filter != nullptr && filter->stamp == end.stamp && filter->refusal.time == at &&
         !lifted(end.key, *filter);
}

void DeclineFilters::settle() {
  ends_.settle([this](Time at, const End& end) { return still_wanted(at, end); });
}

void DeclineFilters::ripen(Time now) {
  const auto wanted = [this](Time at, const End& end) { return still_wanted(at, end); };
  while (const auto ended = ends_.pop_due(now, wanted)) {
    const auto& key = ended->key;
    // The bit goes at once, though pop_ended() may return the filter only later: a pass before that must not
    // skip the agent.
    of(key.framework, key.kind).refused.erase(key.agent);
    ripe_.emplace_back(find(key)->refusal.time, *ended);
  }
}

std::optional<FilterKey> DeclineFilters::pop_ended(Time now) {
  ripen(now);
  while (!ripe_.empty()) {
    const auto [at, end] = ripe_.front();
    ripe_.pop_front();
    if (still_wanted(at, end)) return end.key;
  }
  return {};
}

bool DeclineFilters::any_in_force(FrameworkIndex framework, Time now) const {
  for (std::uint32_t i = 0; i < agents_.size(); ++i) {
    for (const auto& [kind, by_framework] : agents_[i].kinds) {
      const FilterKey key{framework, AgentIndex{i}, kind};
      const auto found = by_framework.find(framework.value);
      if (found != by_framework.end() && in_force(key, found->second, now)) return true;
    }
  }
  return false;
}

void DeclineFilters::check_invariants(Time now) const {
  for (std::uint32_t framework = 0; framework < frameworks_.size(); ++framework) {
    for (const auto& [kind, revived, refused] : frameworks_[framework].kinds) {
      for (std::uint32_t agent = 0; agent < agents_.size(); ++agent) {
        const FilterKey key{FrameworkIndex{framework}, AgentIndex{agent}, kind};
        if (!refused.contains(key.agent)) continue;
        const auto& refusal = find(key)->refusal;
        const bool ends = refusal.until == Refusal::Until::time && refusal.time <= now;
        PROFFER_CHECK(ends || judge(key, 0, kUnbounded, now) == Verdict::refused,
                      "an agent is passed over that is not refused");
      }
    }
  }
}

}  // namespace proffer::allocator
