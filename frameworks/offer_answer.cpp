#include "frameworks/offer_answer.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer {

OfferAnswer::OfferAnswer(TaskPool& pool, Policy& policy, std::vector<Kind> kinds)
    : pool_(pool), policy_(policy), kinds_(kinds.begin(), kinds.end()) {}

void OfferAnswer::answer(Driver& driver, const Offers& offers, const Describe& describe) {
  for (const auto& offer : offers.offers) {
    for (const auto& [kind, units] : offer.resources) kinds_.insert(kind);
  }
  declare(driver);  // first, so that every answer carries it; placing tasks does not change it
  policy_.opportunity(offers.standings, pool_, driver.now());
  for (const auto& offer : offers.offers) answer_one(driver, offer, describe);
  look_again(driver);
}

void OfferAnswer::answer_one(Driver& driver, const Offer& offer, const Describe& describe) {
  std::vector<TaskSpec> tasks;
  std::optional<DeclineReason> rest;
  std::optional<Duration> refuse = Duration::zero();
  for (const auto& [kind, units] : offer.resources) {
    std::vector<Placement> placements;
    const auto passed = pool_.fill(offer, kind, units, policy_, driver.now(), placements);
    for (const auto& placed : placements) {
      tasks.push_back(describe(placed, offer));
      PROFFER_CHECK(tasks.back().id == placed.task, "a placement was described as another task");
      driver.trace(TaskPlaced{placed.job, placed.task, offer.agent.id, kind, placed.locality,
                              placed.preferred, placed.waited});
    }
    if (!passed || rest) continue;
    rest = passed;
    refuse = refuse_for(*passed, kind, driver.now());
  }
  const auto reason = rest.value_or(DeclineReason::no_pending_task);
  if (tasks.empty()) {
    driver.decline(offer.id, reason, refuse);
  } else {
    driver.accept({offer.id}, std::move(tasks), reason, refuse);
  }
}

/// Without a pending task nothing but new tasks will do, and they revive. A refusal for locality or by the
/// policy's own rule holds until some job takes farther tasks; zero, where looks are counted: the next change
/// on that agent is the next look.
std::optional<Duration> OfferAnswer::refuse_for(DeclineReason reason, Kind kind, Time now) const {
  if (reason == DeclineReason::no_pending_task) return {};
  const auto change = policy_.next_level_change(kind, pool_, now);
  if (!change) return {};
  return std::max(*change - now, Duration::zero());
}

void OfferAnswer::declare(Driver& driver) const {
  for (const auto kind : kinds_) driver.set_demand(kind, pool_.demand(kind));
}

void OfferAnswer::tasks_added(Driver& driver, Kind kind) {
  kinds_.insert(kind);
  declare(driver);
  driver.revive({kind});
}

void OfferAnswer::look_again(Driver& driver) {
  for (const auto kind : kinds_) {
    if (policy_.take_widened(kind)) driver.revive({kind});
    const auto at = policy_.look_again_at(kind, pool_);
    if (at) {
      revive_at_[kind] = *at;
    } else {
      revive_at_.erase(kind);
    }
  }
}

std::optional<Time> OfferAnswer::next_deadline() const {
  std::optional<Time> next;
  for (const auto& [kind, at] : revive_at_) next = earlier(next, at);
  return next;
}

/// Each time once: if the revival brings no offers then no slot is free, and the next free one is offered
/// anyway.
void OfferAnswer::deadline(Driver& driver) {
  for (auto it = revive_at_.begin(); it != revive_at_.end();) {
    if (it->second > driver.now()) {
      ++it;
      continue;
    }
    driver.revive({it->first});
    it = revive_at_.erase(it);
  }
}

}  // namespace proffer
