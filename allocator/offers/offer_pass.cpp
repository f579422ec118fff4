#include "allocator/offers/offer_pass.hpp"

#include <algorithm>
#include <utility>

#include "allocator/offers/standings.hpp"
#include "allocator/state/ledger.hpp"
#include "proffer/bulk.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {

using Verdict = DeclineFilters::Verdict;

// ---- frameworks that get an offer ----

std::size_t OfferPass::granted_to(FrameworkIndex framework) const {
  const auto place = places_.find(framework);
  return place == places_.end() ? 0 : grants_[place->second].second.size();
}

Verdict OfferPass::judge(const AgentRecord& agent, Kind kind, std::int64_t free, const Lot& lot,
                         FrameworkIndex candidate) const {
  const auto& framework = state_.frameworks[candidate];
  if (!agent.admits[framework.place.eligibility]) return Verdict::refused;
  if (framework.contact.held_back()) return Verdict::refused;
  if (framework.offers.size() + granted_to(candidate) >= limits::kOffersPerFramework) return Verdict::refused;
  if (state_.silences.silent(candidate, kind, turn_.now)) return Verdict::refused;
  if (kind == kCpus && !state_.cluster.has_room(agent, framework.demand.least_size()))
    return Verdict::refused;
  return state_.filters.judge({candidate, agent.index, kind}, lot.round, free, turn_.now);
}

std::optional<FrameworkIndex> OfferPass::neediest(Kind kind, const Takes& takes, bool& next_round) const {
  return state_.shares.tree().neediest(kind, [&](FrameworkIndex candidate) {
    if (only_ != nullptr && !only_->contains(candidate)) return false;
    if (held_for_ && !state_.shares.tree().is_within(state_.shares.tree().node_of(candidate), *held_for_)) {
      return false;
    }
    const auto verdict = takes(candidate);
    next_round |= verdict == Verdict::next_round;
    return verdict == Verdict::open;
  });
}

/// Returns the framework that gets a unit of the lot. A new round begins when all who may have the lot have
/// had it in the present one, and somebody would take it again.
std::optional<FrameworkIndex> OfferPass::next_for(AgentRecord& agent, Kind kind, std::int64_t free,
                                                  Lot& lot) const {
  const auto takes = [&](FrameworkIndex candidate) { return judge(agent, kind, free, lot, candidate); };
  bool next_round = false;
  const auto taker = neediest(kind, takes, next_round);
  if (taker || !next_round) return taker;
  lot.round = state_.stamps.next();
  return neediest(kind, takes, next_round);
}

// ---- slots that are offered ----

/// Returns whether an agent that reports has as many slots of the kind on offer as a report may show.
bool OfferPass::shown_enough(const Slots& slots) const {
  const auto& config = state_.config;
  if (is_bulk(slots.kind)) return false;
  return config.report_period > Duration::zero() && config.report_slots > 0 &&
         slots.offered >= config.report_slots;
}

/// Returns the units of a lot that a framework gets at a time: one slot; or the cpus of a task as it said, or
/// all. Of tiny tasks it gets several, since an agent runs no more than so many.
std::int64_t OfferPass::one_turn(FrameworkIndex framework, const AgentRecord& agent, Kind kind,
                                 const Lot& lot) const {
  if (kind != kCpus) return 1;
  const auto cpus = state_.frameworks[framework].demand.task_size()[kCpus];
  if (cpus == 0) return lot.units;
  constexpr auto kMost = static_cast<std::int64_t>(limits::kTasksPerAgent);
  const auto least = (agent.total[kCpus] + kMost - 1) / kMost;
  return std::min(cpus * std::max<std::int64_t>((least + cpus - 1) / cpus, 1), lot.units);
}

/// Returns the units of a lot that a framework wants: of cpus as much as one turn.
std::int64_t OfferPass::wanted(FrameworkIndex framework, const AgentRecord& agent, Kind kind,
                               const Lot& lot) const {
  if (kind == kCpus) return one_turn(framework, agent, kind, lot);
  const auto& tree = state_.shares.tree();
  return std::min(tree.demand(framework, kind) - tree.used(framework, kind), lot.units);
}

void OfferPass::walk(AgentRecord& agent, Slots& slots, std::int64_t free, bool fresh) {
  for (std::size_t i = 0; i < slots.free.size() && !shown_enough(slots);) {
    const auto taker =
        slots.free[i].fresh == fresh ? next_for(agent, slots.kind, free, slots.free[i]) : std::nullopt;
    if (taker) grant(*taker, agent, slots.kind, i, one_turn(*taker, agent, slots.kind, slots.free[i]));
    if (!taker) ++i;
  }
}

/// Offers slots that were taken from others for starved pools to those pools. The rest is everybody's.
void OfferPass::walk_held(AgentRecord& agent, Slots& slots, std::int64_t free) {
  for (auto& [pool, index, kind, units] : state_.starvation.claims.pop_held(agent.index, slots.kind)) {
    held_for_ = pool;
    for (std::size_t i = 0; i < slots.free.size() && units > 0 && !shown_enough(slots);) {
      bool next_round = false;
      const auto takes = [&](FrameworkIndex candidate) {
        return judge(agent, kind, free, slots.free[i], candidate);
      };
      if (const auto taker = neediest(kind, takes, next_round)) {
        grant(*taker, agent, kind, i, 1);
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
  // Noted even if nothing can be offered there: after this pass its slots are no news any more.
  walked_.emplace_back(index, kind);
  if (!ClusterTable::offerable(agent) || rides_along(kind)) return;
  const auto free = units_of(slots->free);
  // Starved pools first; then lots that just became free, before those that stood idle.
  walk_held(agent, *slots, free);
  walk(agent, *slots, free, true);
  walk(agent, *slots, free, false);
  if (state_.config.report_period > Duration::zero()) state_.cluster.close(agent, *slots);
}

void OfferPass::walk_for(FrameworkIndex framework, AgentRecord& agent, Slots& slots) {
  const auto& shares = state_.shares;
  const auto free = units_of(slots.free);
  for (std::size_t i = 0; i < slots.free.size() && shares.wants(framework, slots.kind);) {
    auto& lot = slots.free[i];
    const auto verdict = judge(agent, slots.kind, free, lot, framework);
    if (verdict == Verdict::refused) {
      ++i;
      continue;
    }
    if (verdict == Verdict::next_round) lot.round = state_.stamps.next();
    grant(framework, agent, slots.kind, i, wanted(framework, agent, slots.kind, lot));
  }
}

void OfferPass::walk_for(FrameworkIndex framework, AgentIndex index, Kind kind) {
  if (!state_.cluster.has(index) || state_.frameworks.find(framework) == nullptr) return;
  auto& agent = state_.cluster[index];
  auto* slots = state_.cluster.slots_of(agent, kind);
  if (slots == nullptr || slots->closed || rides_along(kind)) return;
  if (ClusterTable::offerable(agent)) walk_for(framework, agent, *slots);
}

void OfferPass::walk_idle(Kind kind, const std::set<FrameworkIndex>& hungry) {
  std::vector<const AgentBits*> refused;
  for (const auto framework : hungry) refused.push_back(state_.filters.surely_refused(framework, kind));
  const auto nobody_takes = [&](AgentIndex agent) {
    return std::all_of(refused.begin(), refused.end(),
                       [agent](const AgentBits* bits) { return bits != nullptr && bits->contains(agent); });
  };
  const auto& listed = state_.cluster.with_free(kind);
  for (auto at = listed.begin(); at != listed.end();) {
    const auto index = (at++)->second;  // a grant may take the agent off the list
    if (nobody_takes(index)) continue;
    if (hungry.size() > 1) {
      only_ = &hungry;
      walk(index, kind);
      only_ = nullptr;
    } else if (state_.shares.wants(*hungry.begin(), kind)) {
      walk_for(*hungry.begin(), index, kind);
    } else {
      break;
    }
  }
}

void OfferPass::walk_idle(const Shares::Hungry& hungry) {
  std::map<Kind, std::set<FrameworkIndex>> by_kind;
  for (const auto& [kind, framework] : hungry) by_kind[kind].insert(framework);
  state_.filters.ripen(turn_.now);  // first: else agents whose filters are over would be passed over
  for (const auto& [kind, frameworks] : by_kind) walk_idle(kind, frameworks);
}

void OfferPass::grant(FrameworkIndex framework, AgentRecord& agent, Kind kind, std::size_t position,
                      std::int64_t units) {
  auto riding = kind == kCpus ? take_riding(state_.frameworks[framework], agent, units) : Resources{};
  const auto lot = reserve(state_, state_.frameworks[framework], agent, kind, position, units);
  const auto [place, first] = places_.try_emplace(framework, grants_.size());
  if (first) grants_.emplace_back(framework, std::vector<Grant>{});
  auto& mine = grants_[place->second].second;
  // Slots come agent by agent, so an older grant on this one is among the newest few.
  const auto known = std::find_if(mine.rbegin(), mine.rend(), [&](const Grant& grant) {
    return grant.agent == agent.index && grant.kind == kind;
  });
  if (known != mine.rend()) {
    known->riding += riding;
    return join(known->lots, lot);
  }
  Grant& first_here = mine.emplace_back();
  first_here.agent = agent.index;
  first_here.kind = kind;
  first_here.lots.push_back(lot);
  first_here.riding = std::move(riding);
}

/// Takes what rides along with these cpus, as far as it is there: as much as its tasks need, or all where it
/// has not said how much that is.
Resources OfferPass::take_riding(FrameworkRecord& framework, AgentRecord& agent, std::int64_t cpus) {
  const auto& size = framework.demand.task_size();
  Resources riding;
  for (const auto& slots : agent.slots) {
    if (!rides_along(slots.kind) || slots.free.empty()) continue;
    const auto free = units_of(slots.free);
    const auto tasks = size.empty() ? 0 : (cpus + size[kCpus] - 1) / size[kCpus];
    const auto units = size.empty() ? free : std::min(size[slots.kind] * tasks, free);
    if (units == 0) continue;
    reserve(state_, framework, agent, slots.kind, 0, units);
    riding.add(slots.kind, units);
  }
  return riding;
}

// ---- offers ----

std::vector<Offer> OfferPass::issue(FrameworkRecord& framework, std::vector<Grant>& grants) {
  std::vector<Offer> offers;
  for (auto& [index, kind, lots, riding] : grants) {
    auto& agent = state_.cluster[index];
    OfferRecord record;
    record.framework = framework.index;
    record.agent = index;
    record.kind = kind;
    record.idle = std::none_of(lots.begin(), lots.end(), [](const Lot& lot) { return lot.fresh; });
    record.lots = std::move(lots);
    record.riding = std::move(riding);
    record.made = turn_.now;
    const auto& offer = state_.offers.issue(std::move(record));
    agent.offers.insert(offer.id.n);
    framework.offers.insert(offer.id.n);
    turn_.trace(OfferMade{offer.id, framework.id, agent.info.id, offer.resources()});
    offers.push_back(offer_of(state_, offer));
  }
  return offers;
}

void OfferPass::finish() {
  std::vector<std::vector<Offer>> offers;
  for (auto& [index, grants] : grants_) offers.push_back(issue(state_.frameworks[index], grants));
  // Offers are sent when the whole pass is over: standings tell how things are after it. Sent with the first
  // grant, they would tell of free slots that another framework gets.
  for (std::size_t i = 0; i < grants_.size(); ++i) {
    send_offers(turn_, state_.frameworks[grants_[i].first], std::move(offers[i]));
  }
  // Lots that are left over have been shown to everybody by now, so they are no news to the next pass.
  for (const auto& [agent, kind] : walked_) state_.cluster.no_longer_fresh(state_.cluster[agent], kind);
}

namespace {

/// The end of the batch that `now` falls into.
Time end_of_batch(Time now, Duration batch) { return now - (now - Time{}) % batch + batch; }

/// Returns whether there is something to offer, and its time has come.
bool is_due(State& state, Time now) {
  if (state.agenda.over) return false;
  if (state.agenda.released.empty() && !state.shares.any_hungry()) {
    state.agenda.next.reset();  // whoever waited for it has left
    return false;
  }
  if (state.recovery.holds()) {
    state.agenda.next = state.recovery.hold_until;  // until then what is free is shown to nobody
    return false;
  }
  const auto batch = state.config.batch;
  if (batch <= Duration::zero()) {
    state.agenda.next.reset();
    return true;
  }
  if (!state.agenda.next) state.agenda.next = end_of_batch(now, batch);
  if (now < *state.agenda.next) return false;
  state.agenda.next.reset();
  return true;
}

}  // namespace

void run_pass(const Turn& turn) {
  auto& state = turn.state;
  if (!is_due(state, turn.now)) return;
  const auto released = state.agenda.released.pop_all();
  const auto hungry = state.shares.pop_hungry();
  OfferPass pass(turn);
  for (const auto& [agent, kind] : released) pass.walk(agent, kind);
  pass.walk_idle(hungry);
  pass.finish();
}

bool end_filter(const Turn& turn) {
  const auto ended = turn.state.filters.pop_ended(turn.now);
  if (!ended) return false;
  if (turn.state.agenda.over) return true;
  if (turn.state.config.batch > Duration::zero()) {
    turn.state.shares.note_hungry(ended->framework, ended->kind);
    return true;
  }
  OfferPass pass(turn);
  pass.walk_for(ended->framework, ended->agent, ended->kind);
  pass.finish();
  return true;
}

}  // namespace proffer::allocator
