// The parts that explanations of several subjects have.
#include <fmt/format.h>

#include <algorithm>

#include "study/why/explain.hpp"
#include "study/why/words.hpp"

namespace proffer::study::why {

LateOffers late_offers(const Scene& scene, const FrameworkScene& framework, Kind kind) {
  LateOffers late;
  std::array<std::int64_t, kDeclineReasons> reasons{};
  Duration held{};
  for (const auto& offer : framework.answers.lately) {
    if (offer.kind != kind || offer.at + kLately < scene.now) continue;
    ++late.ended;
    late.accepted += offer.end == OfferEnd::accepted ? 1 : 0;
    late.declined += offer.end == OfferEnd::declined ? 1 : 0;
    late.expired += offer.end == OfferEnd::expired ? 1 : 0;
    late.rescinded += offer.end == OfferEnd::rescinded ? 1 : 0;
    held += offer.held;
    if (offer.end == OfferEnd::declined) ++reasons.at(static_cast<std::size_t>(offer.reason));
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
  for (const auto& [id, agent] : scene.agents()) {
    if (agent.lost || agent.slots[kind] == 0 || !scene.admits(framework.pool, agent)) continue;
    ++found.agents;
    found.slots += agent.slots[kind];
    const auto free = agent.free(kind);
    const auto taken = agent.taken.find(kind);
    const bool hidden = in_force(scene, framework, id, kind);
    found.free += free;
    found.offered += taken == agent.taken.end() ? 0 : taken->second.offered;
    found.with_free += free > 0 ? 1 : 0;
    found.hidden += hidden ? 1 : 0;
    found.hidden_with_free += hidden && free > 0 ? 1 : 0;
    const auto next = next_release(scene, agent, kind);
    if (next) found.next = found.next ? std::min(*found.next, *next) : next;
  }
  return found;
}

Kind pressing_kind(const Scene& scene, const FrameworkScene& framework) {
  return kind_of_most(scene, [&](Kind kind) { return scene.wants(framework, kind); });
}

std::string called(const Scene& scene, const FrameworkScene& framework) {
  const auto alike = std::count_if(scene.frameworks.begin(), scene.frameworks.end(),
                                   [&](const auto& other) { return other.second.name == framework.name; });
  if (alike < 2 || framework.id.value.is_nil()) return framework.name;
  return fmt::format("{} ({})", framework.name, short_id(framework.id));
}

void Account::state_share(const FrameworkScene& framework, Kind kind) {
  if (!framework.leaf) return;
  mention_share(framework, kind);
  const auto standing = standing_of(scene_, framework, kind);
  if (const auto line = line_of(scene_, framework, kind); line.place > 0) {
    fact("order.framework", line.place);
    fact("order.frameworks", line.length);
    fact("order.idle", line.idle);
  }
  fact("share.running", standing.running);
  fact("share.offered", standing.offered);
  fact("share.fair", standing.fair);
  fact("share.demand", standing.demand >= kUnbounded ? std::int64_t{-1} : standing.demand);
}

void Account::mention_share(const FrameworkScene& framework, Kind kind) {
  if (!framework.leaf) return;
  const auto standing = standing_of(scene_, framework, kind);
  auto text = fmt::format("{} of pool {} runs {} and is entitled to {} (demand {})",
                          called(scene_, framework), framework.pool.empty() ? "root" : framework.pool,
                          count(standing.running, fmt::format("{} slot", kind.name())), standing.fair,
                          demand_text(standing.demand));
  if (standing.offered > 0) text += fmt::format("; {} more on offer to it", standing.offered);
  if (const auto line = line_of(scene_, framework, kind); line.place > 0) {
    text += fmt::format("; {} of {} in line", ordinal(line.place), line.length);
  }
  part("share", std::move(text));
}

void Account::state_offers(const FrameworkScene& framework, Kind kind) {
  const auto late = late_offers(scene_, framework, kind);
  if (late.ended == 0) {
    part("offers",
         fmt::format("{} was offered no {} slot in the last {}", framework.name, kind.name(), span(kLately)));
  } else {
    auto text =
        fmt::format("{} got {} of {} slots in the last {}: {} accepted, {} declined", framework.name,
                    count(late.ended, "offer"), kind.name(), span(kLately), late.accepted, late.declined);
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
  part("hidden",
       fmt::format("{} of {} {} hidden from {} by what it declined; {} of those {} a free {} slot",
                   free.hidden, count(free.agents, "agent"), free.hidden == 1 ? "is" : "are", framework.name,
                   free.hidden_with_free, free.hidden_with_free == 1 ? "has" : "have", kind.name()));
}

void Account::state_free(const FrameworkScene& framework, Kind kind) {
  const auto free = free_for(scene_, framework, kind);
  auto text = fmt::format("{} of {} free on agents that it may have", free.free,
                          count(free.slots, fmt::format("{} slot", kind.name())));
  if (free.slots < scene_.capacity(kind)) {
    text += fmt::format(", of {} that there are", scene_.capacity(kind));
  }
  if (free.free == 0 && free.next) text += "; " + next_free(*free.next);
  part("slots", std::move(text));
  fact("slots.free", free.free);
  fact("slots.eligible", free.slots);
  fact("slots.all", scene_.capacity(kind));
  if (free.next) fact("slots.next_free_s", std::chrono::duration<double>(*free.next).count());
}

void Account::state_deficit(const Missed& missed, Kind kind) {
  const auto& so_far = missed.so_far;
  fact("deficit.declined", so_far.declined);
  fact("deficit.imposed", so_far.imposed());
  if (missed.since) fact("short_for_s", std::chrono::duration<double>(scene_.now - *missed.since).count());
  if (so_far.all <= 0) return;
  auto text = missed.since ? fmt::format("short of its {} slots for {}; ", kind.name(),
                                         span(scene_.now - *missed.since))
                           : fmt::format("not short of its {} slots now; ", kind.name());
  text += fmt::format("so far {:.0f} slot-seconds missed by its own choice, {:.0f} imposed", so_far.declined,
                      so_far.imposed());
  part("short", std::move(text));
}

}  // namespace proffer::study::why
