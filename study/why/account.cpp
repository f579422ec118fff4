// Parts that explanations of several subjects have.
#include <fmt/format.h>

#include <algorithm>

#include "study/why/explain.hpp"
#include "study/why/words.hpp"

namespace proffer::study::why {

LateOffers late_offers(const Scene& scene, const FrameworkScene& framework) {
  LateOffers late;
  std::array<std::int64_t, kDeclineReasons> reasons{};
  Duration held{};
  for (const auto& offer : framework.lately) {
    if (offer.at + kLately < scene.now) continue;
    ++late.ended;
    late.accepted += offer.end == OfferEnd::accepted ? 1 : 0;
    late.expired += offer.end == OfferEnd::expired ? 1 : 0;
    late.rescinded += offer.end == OfferEnd::rescinded ? 1 : 0;
    held += offer.held;
    if (offer.end != OfferEnd::declined) continue;
    ++late.declined;
    ++reasons.at(static_cast<std::size_t>(offer.reason));
    const bool far =
        offer.reason == DeclineReason::no_node_local || offer.reason == DeclineReason::no_rack_local;
    late.for_locality += far ? 1 : 0;
  }
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (reasons[i] == 0) continue;
    late.reasons += fmt::format("{}{} {}", late.reasons.empty() ? "" : ", ",
                                to_string(static_cast<DeclineReason>(i)), reasons[i]);
  }
  const auto answered = late.accepted + late.declined;
  if (answered > 0) late.mean_held = held / answered;
  return late;
}

Free free_for(const Scene& scene, const FrameworkScene& framework, Kind kind) {
  Free found;
  for (const auto& [id, agent] : scene.agents) {
    if (agent.lost || agent.slots[kind] == 0 || !scene.admits(framework.pool, agent)) continue;
    ++found.agents;
    const auto free = agent.free(kind);
    const bool hidden = in_force(scene, framework, id, kind);
    found.free += free;
    found.with_free += free > 0 ? 1 : 0;
    found.hidden += hidden ? 1 : 0;
    found.hidden_with_free += hidden && free > 0 ? 1 : 0;
    const auto next = next_release(scene, agent, kind);
    if (next) found.next = found.next ? std::min(*found.next, *next) : next;
  }
  return found;
}

Kind pressing_kind(const Scene& scene, const FrameworkScene& framework) {
  Kind pressing = scene.kinds.empty() ? Kind("map") : scene.kinds.front();
  for (const auto kind : scene.kinds) {
    if (framework.wants(kind) > framework.wants(pressing)) pressing = kind;
  }
  return pressing;
}

void Account::state_share(const FrameworkScene& framework, Kind kind) {
  if (!framework.leaf) return;
  const auto standing = standing_of(scene_, framework, kind);
  const auto order = scene_.order(kind);
  const auto at = std::find(order.begin(), order.end(), framework.name);
  auto text = fmt::format("{} of pool {} runs {} and is entitled to {} (demand {})", framework.name,
                          framework.pool.empty() ? "root" : framework.pool,
                          count(standing.running, fmt::format("{} slot", kind.name())), standing.fair,
                          demand_text(standing.demand));
  if (standing.offered > 0) text += fmt::format("; {} more on offer to it", standing.offered);
  if (at != order.end()) {
    const auto place = static_cast<std::size_t>(at - order.begin()) + 1;
    text += fmt::format("; {} of {} in the order", ordinal(place), order.size());
    fact("order.framework", place);
    fact("order.frameworks", order.size());
  }
  part("share", std::move(text));
  fact("share.running", standing.running);
  fact("share.offered", standing.offered);
  fact("share.fair", standing.fair);
  fact("share.demand", standing.demand >= kUnbounded ? std::int64_t{-1} : standing.demand);
}

void Account::state_offers(const FrameworkScene& framework) {
  const auto late = late_offers(scene_, framework);
  if (late.ended == 0) {
    part("offers", fmt::format("{} was offered nothing in the last {}", framework.name, span(kLately)));
  } else {
    auto text = fmt::format("{} got {} in the last {}: {} accepted, {} declined", framework.name,
                            count(late.ended, "offer"), span(kLately), late.accepted, late.declined);
    if (!late.reasons.empty()) text += fmt::format(" ({})", late.reasons);
    text += fmt::format(", {} expired, {} rescinded", late.expired, late.rescinded);
    if (late.accepted + late.declined > 0) {
      text +=
          fmt::format("; it answers after {:.3f} s", std::chrono::duration<double>(late.mean_held).count());
    }
    part("offers", std::move(text));
  }
  fact("offers.ended", late.ended);
  fact("offers.accepted", late.accepted);
  fact("offers.declined", late.declined);
  fact("offers.expired", late.expired);
  fact("offers.reasons", late.reasons);
}

void Account::state_hidden(const FrameworkScene& framework, Kind kind) {
  const auto free = free_for(scene_, framework, kind);
  fact("agents.hidden", free.hidden);
  fact("agents.eligible", free.agents);
  if (free.hidden == 0) return;
  part("hidden", fmt::format("{} of {} are hidden from {} by what it declined; {} of those {} a free {} slot",
                             free.hidden, count(free.agents, "agent"), framework.name, free.hidden_with_free,
                             free.hidden_with_free == 1 ? "has" : "have", kind.name()));
}

void Account::state_free(const FrameworkScene& framework, Kind kind) {
  const auto free = free_for(scene_, framework, kind);
  auto text = fmt::format("{} of {} free on agents that it may have", free.free,
                          count(scene_.capacity(kind), fmt::format("{} slot", kind.name())));
  if (free.free == 0 && free.next) text += "; " + next_free(*free.next);
  part("slots", std::move(text));
  fact("slots.free", free.free);
  fact("slots.all", scene_.capacity(kind));
  if (free.next) fact("slots.next_free_s", std::chrono::duration<double>(*free.next).count());
}

void Account::state_deficit(Kind kind) {
  const auto deficit = shortage_.of(kind);
  fact("deficit.own", deficit.own);
  fact("deficit.imposed", deficit.imposed);
  if (deficit.since) {
    fact("short_for_s", std::chrono::duration<double>(scene_.now - *deficit.since).count());
  }
  if (deficit.own + deficit.imposed <= 0) return;
  auto text = deficit.since ? fmt::format("short of its {} slots for {}; ", kind.name(),
                                          span(scene_.now - *deficit.since))
                            : fmt::format("not short of its {} slots now; ", kind.name());
  text += fmt::format("so far {:.0f} slot-seconds missed by its own choice, {:.0f} imposed", deficit.own,
                      deficit.imposed);
  part("short", std::move(text));
}

}  // namespace proffer::study::why
