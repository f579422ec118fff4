#include "allocator/decline_filters.hpp"

#include <algorithm>

namespace proffer::allocator {

DeclineFilters::AgentFilters& DeclineFilters::of(AgentIndex agent) {
  if (agent.value >= agents_.size()) agents_.resize(agent.value + 1);
  return agents_[agent.value];
}

const DeclineFilters::Filter* DeclineFilters::find(const FilterKey& key) const {
  if (key.agent.value >= agents_.size()) return nullptr;
  for (const auto& [kind, by_leaf] : agents_[key.agent.value].kinds) {
    if (kind != key.kind) continue;
    const auto found = by_leaf.find(key.leaf.value);
    return found == by_leaf.end() ? nullptr : &found->second;
  }
  return nullptr;
}

DeclineFilters::Filter& DeclineFilters::at(const FilterKey& key) {
  auto& kinds = of(key.agent).kinds;
  for (auto& [kind, by_leaf] : kinds) {
    if (kind == key.kind) return by_leaf[key.leaf.value];
  }
  return kinds.emplace_back(key.kind, ByLeaf{}).second[key.leaf.value];
}

void DeclineFilters::decline(const FilterKey& key, const Refusal& refusal, Stamp stamp) {
  at(key) = {refusal, stamp};
  if (refusal.until == Refusal::Until::time) ends_.push(refusal.time, {key, stamp});
}

void DeclineFilters::note_offered(const FilterKey& key, Stamp stamp) {
  at(key) = {{Refusal::Until::time, Time::min(), 0, 0}, stamp};
}

Stamp DeclineFilters::revived_at(LeafId leaf, Kind kind) const {
  if (leaf.value >= revivals_.size()) return 0;
  const auto& revival = revivals_[leaf.value];
  for (const auto& [revived, stamp] : revival.kinds) {
    if (revived == kind) return std::max(stamp, revival.all);
  }
  return revival.all;
}

bool DeclineFilters::inherited(LeafId leaf, const Filter& filter) const {
  return leaf.value < revivals_.size() && filter.stamp <= revivals_[leaf.value].all;
}

bool DeclineFilters::lifted(const FilterKey& key, const Filter& filter) const {
  if (filter.stamp <= revived_at(key.leaf, key.kind)) return true;
  return filter.refusal.until == Refusal::Until::change && filter.stamp <= agents_[key.agent.value].changed;
}

bool DeclineFilters::in_force(const FilterKey& key, const Filter& filter, Time now) const {
  if (lifted(key, filter)) return false;
  return filter.refusal.until != Refusal::Until::time || now < filter.refusal.time;
}

DeclineFilters::Verdict DeclineFilters::judge(const FilterKey& key, Stamp round, std::int64_t free,
                                              Time now) const {
  const auto* filter = find(key);
  if (filter == nullptr || inherited(key.leaf, *filter)) return Verdict::open;
  const auto too_small = filter->refusal.too_small;
  const bool outgrown = too_small > 0 && free > too_small;
  if (in_force(key, *filter, now) && !outgrown) return Verdict::refused;
  return filter->stamp > round ? Verdict::next_round : Verdict::open;
}

std::uint32_t DeclineFilters::expiries(const FilterKey& key, Stamp spoke) const {
  const auto* filter = find(key);
  return filter == nullptr || filter->stamp <= spoke ? 0 : filter->refusal.expiries;
}

void DeclineFilters::revived(LeafId leaf, Kind kind, Stamp stamp) {
  if (leaf.value >= revivals_.size()) revivals_.resize(leaf.value + 1);
  for (auto& [known, at] : revivals_[leaf.value].kinds) {
    if (known != kind) continue;
    at = stamp;
    return;
  }
  revivals_[leaf.value].kinds.emplace_back(kind, stamp);
}

void DeclineFilters::agent_changed(AgentIndex agent, Stamp stamp) { of(agent).changed = stamp; }

void DeclineFilters::forget_agent(AgentIndex agent, Stamp stamp) {
  of(agent).kinds.clear();
  agent_changed(agent, stamp);
}

void DeclineFilters::forget_framework(LeafId leaf, Stamp stamp) {
  if (leaf.value >= revivals_.size()) revivals_.resize(leaf.value + 1);
  revivals_[leaf.value] = {stamp, {}};
}

bool DeclineFilters::still_wanted(Time at, const End& end) const {
  const auto* filter = find(end.key);
  return filter != nullptr && filter->stamp == end.stamp && filter->refusal.time == at &&
         !lifted(end.key, *filter);
}

void DeclineFilters::settle() {
  ends_.settle([this](Time at, const End& end) { return still_wanted(at, end); });
}

std::optional<FilterKey> DeclineFilters::take_ended(Time now) {
  const auto ended = ends_.take_due(now, [this](Time at, const End& end) { return still_wanted(at, end); });
  if (!ended) return {};
  return ended->key;
}

bool DeclineFilters::any_in_force(LeafId leaf, Time now) const {
  for (std::uint32_t i = 0; i < agents_.size(); ++i) {
    for (const auto& [kind, by_leaf] : agents_[i].kinds) {
      const FilterKey key{leaf, AgentIndex{i}, kind};
      const auto found = by_leaf.find(leaf.value);
      if (found != by_leaf.end() && in_force(key, found->second, now)) return true;
    }
  }
  return false;
}

}  // namespace proffer::allocator
