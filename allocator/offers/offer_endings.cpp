#include "allocator/offers/offer_endings.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "allocator/state/ledger.hpp"
#include "proffer/bulk.hpp"

namespace proffer::allocator {
namespace {

constexpr Duration kForever = std::chrono::hours(24 * 365);

Refusal refusal_of(std::optional<Duration> refuse_for, Time now) {
  Refusal refusal;
  if (!refuse_for || *refuse_for > kForever) {
    refusal.until = Refusal::Until::revive;
  } else if (*refuse_for > Duration::zero()) {
    refusal.until = Refusal::Until::time;
    refusal.time = now + *refuse_for;
  }
  return refusal;
}

/// Returns the end of a refusal. None: not before the framework revives.
std::optional<Time> end_of(const Refusal& refusal, Time now) {
  if (refusal.until == Refusal::Until::revive) return {};
  return refusal.until == Refusal::Until::time ? refusal.time : now;
}

bool among(const std::vector<Kind>& kinds, Kind kind) {
  return kinds.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::int64_t in_trace(std::optional<Duration> refuse_for) { return refuse_for ? to_us(*refuse_for) : -1; }

}  // namespace

void decline(const Turn& turn, OfferRecord offer, DeclineReason reason, std::optional<Duration> refuse_for,
             bool is_rest) {
  auto& state = turn.state;
  auto& framework = state.frameworks[offer.framework];
  auto& agent = state.cluster[offer.agent];
  turn.trace(OfferDeclined{offer.id, framework.id, agent.info.id, reason, turn.now - offer.made,
                           in_trace(refuse_for)});
  const FilterKey key{framework.index, agent.index, offer.kind};
  const auto units = offer.units();
  auto refusal = refusal_of(refuse_for, turn.now);
  // The slots go back before the refusal is noted. While they count as used, a framework that was offered all
  // it wants seems to want nothing, and its pool would starve for slots that it refuses. They go back before
  // free slots are counted, too: only an agent with more than these is worth another look.
  give_back(state, std::move(offer));
  state.starvation.note_refusal(state.shares, framework.index, key.kind, end_of(refusal, turn.now));
  if (reason == DeclineReason::too_small) {
    // What is left of bulk resources is offered anew together with what else is free there. A whole offer is
    // not: who takes nothing would be shown the same again and again.
    const bool comes_larger = is_rest && is_bulk(key.kind);
    refusal.too_small = comes_larger ? units : std::max(units, state.cluster.free_units(agent, key.kind));
  }
  // The stamp is taken last: a filter is void if anything that lifts it has a later one.
  state.filters.decline(key, refusal, state.stamps.next());
}

void spoke(const Turn& turn, const FrameworkRecord& framework) {
  for (const auto kind : turn.state.silences.spoke(framework.index, turn.now)) {
    turn.state.shares.note_hungry(framework.index, kind);
    turn.state.starvation.note_revival(framework.index, kind, turn.now);
  }
}

void revive(const Turn& turn, const FrameworkRecord& framework, Kind kind) {
  auto& state = turn.state;
  state.filters.revived(framework.index, kind, state.stamps.next());
  state.shares.note_hungry(framework.index, kind);
  state.starvation.note_revival(framework.index, kind, turn.now);
}

bool end_silence(const Turn& turn) {
  const auto ended = turn.state.silences.pop_ended(turn.now);
  if (!ended) return false;
  turn.state.shares.note_hungry(ended->first, ended->second);
  return true;
}

bool expire_one(const Turn& turn) {
  auto& state = turn.state;
  auto offer = state.offers.expire(turn.now);
  if (!offer) return false;
  auto& framework = state.frameworks[offer->framework];
  turn.trace(OfferExpired{offer->id, framework.id});
  turn.to_framework(framework, Rescind{{offer->id}});
  const FilterKey key{framework.index, offer->agent, offer->kind};
  // A framework that lets offers expire refuses the kind until its silence ends.
  const auto until = state.silences.expired(framework.index, offer->kind, turn.now);
  give_back(state, std::move(*offer));
  state.starvation.note_refusal(state.shares, framework.index, key.kind, until);
  // Slots that come back keep their round, so the framework has had them in it, and others come first.
  state.filters.note_offered(key, state.stamps.next(), turn.now);
  return true;
}

namespace {

/// Ends an offer, and puts its id into `rescind`, by which its framework is told. Returns whose slots these
/// were.
FilterKey withdraw(const Turn& turn, OfferId id, Rescind& rescind) {
  auto& state = turn.state;
  auto offer = state.offers.rescind(id);
  auto& framework = state.frameworks[offer.framework];
  turn.trace(OfferRescinded{id, framework.id});
  rescind.offers.push_back(id);
  const FilterKey key{framework.index, offer.agent, offer.kind};
  give_back(state, std::move(offer));
  return key;
}

/// Ends an offer as withdraw() does; its framework has had the slots in their present round.
void withdraw_in_round(const Turn& turn, OfferId id, Rescind& rescind) {
  const auto key = withdraw(turn, id, rescind);
  turn.state.filters.note_offered(key, turn.state.stamps.next(), turn.now);
}

}  // namespace

void rescind_all_on(const Turn& turn, AgentRecord& agent) {
  auto& state = turn.state;
  std::map<FrameworkIndex, Rescind> rescinds;  // one message a framework
  const auto offers = agent.offers;            // a copy: each offer that ends leaves the set
  for (const auto n : offers) {
    const auto id = state.offers.id_of(n);
    withdraw(turn, id, rescinds[state.offers.find(id)->framework]);
  }
  for (auto& [index, rescind] : rescinds) turn.to_framework(state.frameworks[index], std::move(rescind));
}

void rescind_all_of(const Turn& turn, FrameworkRecord& framework, const std::vector<Kind>& kinds) {
  auto& state = turn.state;
  Rescind rescind;
  const auto offers = framework.offers;
  for (const auto n : offers) {
    const auto id = state.offers.id_of(n);
    if (among(kinds, state.offers.find(id)->kind)) withdraw_in_round(turn, id, rescind);
  }
  if (!rescind.offers.empty()) turn.to_framework(framework, std::move(rescind));
}

void rescind_one(const Turn& turn, OfferId id) {
  auto& framework = turn.state.frameworks[turn.state.offers.find(id)->framework];
  Rescind rescind;
  withdraw_in_round(turn, id, rescind);
  turn.to_framework(framework, std::move(rescind));
}

void void_all_of(const Turn& turn, FrameworkRecord& framework) {
  auto& state = turn.state;
  const auto offers = framework.offers;
  for (const auto n : offers) {
    const auto id = state.offers.id_of(n);
    turn.trace(OfferRescinded{id, framework.id});
    give_back(state, state.offers.void_(id));
  }
}

}  // namespace proffer::allocator
