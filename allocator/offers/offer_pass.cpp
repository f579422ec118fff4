#include "allocator/offers/offer_pass.hpp"

#include <algorithm>
#include <utility>

#include "allocator/offers/standings.hpp"
#include "allocator/state/ledger.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {

using Verdict = DeclineFilters::Verdict;

// ---- who ----

std::size_t OfferPass::granted_to(LeafId leaf) const {
  const auto place = places_.find(leaf);
  return place == places_.end() ? 0 : grants_[place->second].second.size();
}

Verdict OfferPass::judge(const AgentRecord& agent, Kind kind, std::int64_t free, const Lot& lot,
                         LeafId leaf) const {
  const auto& framework = state_.frameworks[leaf];
  if (!agent.admits[framework.eligibility]) return Verdict::refused;
  if (framework.offers.size() + granted_to(leaf) >= limits::kOffersPerFramework) return Verdict::refused;
  if (state_.silences.silent(leaf, kind, turn_.now)) return Verdict::refused;
  return state_.filters.judge({leaf, agent.index, kind}, lot.round, free, turn_.now);
}

std::optional<LeafId> OfferPass::neediest(Kind kind, const Takes& takes, bool& next_round) const {
  return state_.shares.tree().neediest(kind, [&](LeafId leaf) {
    if (only_ != nullptr && !only_->contains(leaf)) return false;
    if (held_for_ && !state_.shares.tree().is_within(state_.shares.tree().node_of(leaf), *held_for_)) {
      return false;
    }
    const auto verdict = takes(leaf);
    next_round |= verdict == Verdict::next_round;
    return verdict == Verdict::open;
  });
}

/// When all who may have had the lot in its present round, and somebody would take it again, then a new one
/// begins.
std::optional<LeafId> OfferPass::next_for(AgentRecord& agent, Kind kind, std::int64_t free, Lot& lot) const {
  const auto takes = [&](LeafId leaf) { return judge(agent, kind, free, lot, leaf); };
  bool next_round = false;
  const auto leaf = neediest(kind, takes, next_round);
  if (leaf || !next_round) return leaf;
  lot.round = state_.stamps.next();
  return neediest(kind, takes, next_round);
}

// ---- what ----

/// One slot a report, and only with a report: with one that is on offer the agent is closed.
bool OfferPass::shown_enough(const Slots& slots) const {
  return state_.config.report_period > Duration::zero() && slots.offered > 0;
}

void OfferPass::walk(AgentRecord& agent, Slots& slots, std::int64_t free, bool fresh) {
  for (std::size_t i = 0; i < slots.free.size() && !shown_enough(slots);) {
    const auto leaf =
        slots.free[i].fresh == fresh ? next_for(agent, slots.kind, free, slots.free[i]) : std::nullopt;
    if (leaf) grant(*leaf, agent, slots.kind, i, 1);
    if (!leaf) ++i;
  }
}

/// What was taken from others for starved pools is theirs first; what they do not take is everybody's.
void OfferPass::walk_held(AgentRecord& agent, Slots& slots, std::int64_t free) {
  for (auto& [pool, index, kind, units] : state_.starvation.claims.pop_held(agent.index, slots.kind)) {
    held_for_ = pool;
    for (std::size_t i = 0; i < slots.free.size() && units > 0 && !shown_enough(slots);) {
      bool next_round = false;
      const auto takes = [&](LeafId leaf) { return judge(agent, kind, free, slots.free[i], leaf); };
      if (const auto leaf = neediest(kind, takes, next_round)) {
        grant(*leaf, agent, kind, i, 1);
        --units;
      } else {
        ++i;
      }
    }
    held_for_.reset();
  }
}

void OfferPass::walk(AgentIndex index, Kind kind) {
  if (!state_.cluster.has(index)) return;
  auto& agent = state_.cluster[index];
  auto* slots = state_.cluster.slots_of(agent, kind);
  if (slots == nullptr || slots->closed) return;
  walked_.emplace_back(index, kind);
  if (!ClusterTable::offerable(agent)) return;
  const auto free = units_of(slots->free);
  walk_held(agent, *slots, free);
  walk(agent, *slots, free, true);
  walk(agent, *slots, free, false);
  if (state_.config.report_period > Duration::zero()) state_.cluster.close(agent, *slots);
}

void OfferPass::walk_for(LeafId leaf, AgentRecord& agent, Slots& slots) {
  const auto& shares = state_.shares;
  const auto free = units_of(slots.free);
  for (std::size_t i = 0; i < slots.free.size() && shares.wants(leaf, slots.kind);) {
    auto& lot = slots.free[i];
    const auto verdict = judge(agent, slots.kind, free, lot, leaf);
    if (verdict == Verdict::refused) {
      ++i;
      continue;
    }
    if (verdict == Verdict::next_round) lot.round = state_.stamps.next();
    const auto wanted = shares.tree().demand(leaf, slots.kind) - shares.tree().used(leaf, slots.kind);
    grant(leaf, agent, slots.kind, i, std::min(wanted, lot.units));
  }
}

void OfferPass::walk_for(LeafId leaf, AgentIndex index, Kind kind) {
  if (!state_.cluster.has(index) || state_.frameworks.find(leaf) == nullptr) return;
  auto& agent = state_.cluster[index];
  auto* slots = state_.cluster.slots_of(agent, kind);
  if (slots != nullptr && !slots->closed && ClusterTable::offerable(agent)) walk_for(leaf, agent, *slots);
}

void OfferPass::walk_idle(Kind kind, const std::set<LeafId>& leaves) {
  std::vector<const AgentBits*> refused;
  for (const auto leaf : leaves) refused.push_back(state_.filters.surely_refused(leaf, kind));
  const auto nobody_takes = [&](AgentIndex agent) {
    return std::all_of(refused.begin(), refused.end(),
                       [agent](const AgentBits* bits) { return bits != nullptr && bits->contains(agent); });
  };
  const auto& listed = state_.cluster.with_free(kind);
  for (auto at = listed.begin(); at != listed.end();) {
    const auto index = (at++)->second;  // a grant may take the agent off the list
    if (nobody_takes(index)) continue;
    if (leaves.size() > 1) {
      only_ = &leaves;
      walk(index, kind);
      only_ = nullptr;
    } else if (state_.shares.wants(*leaves.begin(), kind)) {
      walk_for(*leaves.begin(), index, kind);
    } else {
      break;
    }
  }
}

void OfferPass::walk_idle(const Shares::Hungry& hungry) {
  std::map<Kind, std::set<LeafId>> by_kind;
  for (const auto& [kind, leaf] : hungry) by_kind[kind].insert(leaf);
  state_.filters.ripen(turn_.now);
  for (const auto& [kind, leaves] : by_kind) walk_idle(kind, leaves);
}

void OfferPass::grant(LeafId leaf, AgentRecord& agent, Kind kind, std::size_t position, std::int64_t units) {
  const auto lot = reserve(state_, state_.frameworks[leaf], agent, kind, position, units);
  const auto [place, first] = places_.try_emplace(leaf, grants_.size());
  if (first) grants_.emplace_back(leaf, std::vector<Grant>{});
  auto& mine = grants_[place->second].second;
  // Slots come agent by agent, so an older grant on this one is among the newest few.
  const auto known = std::find_if(mine.rbegin(), mine.rend(), [&](const Grant& grant) {
    return grant.agent == agent.index && grant.kind == kind;
  });
  if (known != mine.rend()) return join(known->lots, lot);
  Grant& first_here = mine.emplace_back();
  first_here.agent = agent.index;
  first_here.kind = kind;
  first_here.lots.push_back(lot);
}

// ---- offers ----

std::vector<Offer> OfferPass::issue(FrameworkRecord& framework, std::vector<Grant>& grants) {
  std::vector<Offer> offers;
  for (auto& [index, kind, lots] : grants) {
    auto& agent = state_.cluster[index];
    OfferRecord record;
    record.framework = framework.leaf;
    record.agent = index;
    record.kind = kind;
    record.idle = std::none_of(lots.begin(), lots.end(), [](const Lot& lot) { return lot.fresh; });
    record.lots = std::move(lots);
    record.made = turn_.now;
    const auto& offer = state_.offers.issue(std::move(record));
    agent.offers.insert(offer.id.n);
    framework.offers.insert(offer.id.n);
    ++framework.counts.offers_sent;
    turn_.trace(OfferMade{offer.id, framework.id, agent.info.id, offer.resources()});
    offers.push_back({offer.id, agent.info, offer.resources(), offer.idle});
  }
  return offers;
}

void OfferPass::finish() {
  std::vector<std::vector<Offer>> offers;
  for (auto& [leaf, grants] : grants_) offers.push_back(issue(state_.frameworks[leaf], grants));
  // Standings tell how things are after the whole pass.
  for (std::size_t i = 0; i < grants_.size(); ++i) {
    send_offers(turn_, state_.frameworks[grants_[i].first], std::move(offers[i]));
  }
  for (const auto& [agent, kind] : walked_) state_.cluster.no_longer_fresh(state_.cluster[agent], kind);
}

namespace {

/// The end of the batch that `now` falls into.
Time end_of_batch(Time now, Duration batch) { return now - (now - Time{}) % batch + batch; }

/// Whether there is something to offer, and its time has come.
bool is_due(AllocatorState& state, Time now) {
  if (state.released.empty() && !state.shares.any_hungry()) {
    state.next_pass.reset();  // whoever waited for it has left
    return false;
  }
  const auto batch = state.config.batch;
  if (batch <= Duration::zero()) return true;
  if (!state.next_pass) state.next_pass = end_of_batch(now, batch);
  if (now < *state.next_pass) return false;
  state.next_pass.reset();
  return true;
}

}  // namespace

void run_pass(const Turn& turn) {
  auto& state = turn.state;
  if (!is_due(state, turn.now)) return;
  const auto released = state.released.pop_all();
  const auto hungry = state.shares.pop_hungry();
  OfferPass pass(turn);
  for (const auto& [agent, kind] : released) pass.walk(agent, kind);
  pass.walk_idle(hungry);
  pass.finish();
}

void end_filter(const Turn& turn, const FilterKey& ended) {
  if (turn.state.config.batch > Duration::zero()) {
    return turn.state.shares.note_hungry(ended.leaf, ended.kind);
  }
  OfferPass pass(turn);
  pass.walk_for(ended.leaf, ended.agent, ended.kind);
  pass.finish();
}

}  // namespace proffer::allocator
