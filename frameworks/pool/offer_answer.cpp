#include "frameworks/pool/offer_answer.hpp"

#include <algorithm>
#include <utility>

#include "proffer/bulk.hpp"
#include "proffer/check.hpp"

namespace proffer::frameworks {

OfferAnswer::OfferAnswer(TaskPool& pool, Policy& policy, std::vector<Kind> kinds)
    : pool_(pool), policy_(policy), can_(policy) {
  for (const auto kind : kinds) note_kind(kind);
  if (can_.chooses_tasks != nullptr) can_.chooses_tasks->choose_among(pool);
}

Duration OfferAnswer::holds_offers() const {
  return can_.holds_offers == nullptr ? Duration::zero() : can_.holds_offers->holds_offers();
}

void OfferAnswer::note_kinds(const Offers& offers) {
  for (const auto& offer : offers.offers) {
    for (const auto& [kind, units] : offer.resources) note_kind(kind);
  }
}

void OfferAnswer::note_kind(Kind kind) {
  kinds_.insert(kind);
  if (is_bulk(kind)) kinds_.insert(kBulkKinds.begin(), kBulkKinds.end());
}

void OfferAnswer::answer(Driver& driver, const Offers& offers, const Describe& describe) {
  note_kinds(offers);
  warn_of_broken_promises(driver, offers.standings);
  declare(driver);  // first, so that every answer carries it; placing tasks does not change it
  for (const auto& standing : offers.standings) pool_.entitle(standing.kind, standing.fair);
  policy_.opportunity(offers.standings, pool_, driver.now());
  fill(driver, offers, describe);
}

void OfferAnswer::answer_more(Driver& driver, const Offers& offers, const Describe& describe) {
  note_kinds(offers);
  declare(driver);
  fill(driver, offers, describe);
}

void OfferAnswer::fill(Driver& driver, const Offers& offers, const Describe& describe) {
  if (can_.plans_offers != nullptr) {
    std::vector<Offer> shown;
    for (const auto& offer : offers.offers) shown.push_back(pool_.in_tasks(offer));
    can_.plans_offers->shown(shown, pool_, driver.now());
  }
  std::vector<Answer> answers(offers.offers.size());
  for (std::size_t i = 0; i < answers.size(); ++i) answers[i].left = offers.offers[i].resources;
  const auto looks = can_.looks_several_times == nullptr ? 1 : can_.looks_several_times->looks();
  for (int number = 0; number < looks; ++number) {
    if (can_.looks_several_times != nullptr) can_.looks_several_times->begin_look(number);
    for (std::size_t i = 0; i < answers.size(); ++i) look(driver, offers.offers[i], describe, answers[i]);
  }
  for (std::size_t i = 0; i < answers.size(); ++i) send(driver, offers.offers[i], std::move(answers[i]));
  kill_victims(driver);
  pool_.watch_shares(driver.now());
  look_again(driver);
}

void OfferAnswer::look(Driver& driver, const Offer& offer, const Describe& describe, Answer& answer) {
  answer.rest.reset();
  const auto shown = answer.left;
  for (const auto& [kind, units] : shown) {
    if (rides_along(kind)) continue;
    std::vector<Placement> placements;
    const auto passed = pool_.fill(offer, kind, answer.left, policy_, driver.now(), placements);
    for (const auto& placed : placements) {
      answer.tasks.push_back(describe(placed, offer));
      PROFFER_CHECK(answer.tasks.back().id == placed.task, "a placement was described as another task");
      driver.trace(TaskPlaced{placed.job, placed.task, offer.agent.id, kind, placed.locality,
                              placed.preferred, placed.waited});
    }
    if (!passed || answer.rest) continue;
    answer.rest = passed;
    answer.rest_kind = kind;
  }
}

void OfferAnswer::send(Driver& driver, const Offer& offer, Answer answer) const {
  const auto reason = answer.rest.value_or(TaskPool::Rest{}).reason;
  const auto refuse = refuse_for(answer, driver.now());
  if (answer.tasks.empty()) {
    driver.decline(offer.id, reason, refuse);
  } else {
    driver.accept({offer.id}, std::move(answer.tasks), reason, refuse);
  }
}

/// Returns for how long an offer is refused. One that is too small for some job: until there may be more, as
/// well. Without a task that may go there: until something revives. A refusal for locality or by the policy's
/// own rule holds until some job takes farther tasks; zero, where looks are counted: the next change on that
/// agent is the next look.
std::optional<Duration> OfferAnswer::refuse_for(const Answer& answer, Time now) const {
  if (!answer.rest) return Duration::zero();
  if (answer.rest->until_revived) return {};
  const auto change = policy_.next_level_change(answer.rest_kind, pool_, now);
  if (!change && answer.rest->until_larger) return Duration::zero();
  if (!change) return {};
  return std::max(*change - now, Duration::zero());
}

void OfferAnswer::declare(Driver& driver) const {
  for (const auto kind : kinds_) driver.set_demand(kind, pool_.demand(kind));
  if (kinds_.contains(kCpus)) driver.set_task_size(pool_.largest_need(), pool_.least_need());
  pool_.watch_shares(driver.now());
}

void OfferAnswer::tasks_added(Driver& driver, Kind kind) {
  note_kind(kind);
  declare(driver);
  revive(driver, {kind});
}

void OfferAnswer::ended(const Driver& driver, JobId job, Kind kind, const TaskStatus& status) {
  const auto ran = pool_.ended(job, kind, status.task, driver.now());
  if (can_.sees_ends == nullptr || status.state != TaskState::finished) return;
  can_.sees_ends->task_finished(ran, kind, status.run_time);
}

void OfferAnswer::revive(Driver& driver, std::vector<Kind> kinds) const {
  for (const auto kind : kinds) pool_.revived(kind, driver.now());
  driver.revive(std::move(kinds));
}

void OfferAnswer::job_left(Driver& driver) {
  if (!pool_.take_admitted()) return;
  declare(driver);
  for (const auto kind : kinds_) revive(driver, {kind});
}

void OfferAnswer::look_again(Driver& driver) {
  if (can_.asks_for_offers == nullptr) return;
  for (const auto kind : kinds_) {
    if (can_.asks_for_offers->take_widened(kind)) revive(driver, {kind});
    const auto at = can_.asks_for_offers->look_again_at(kind, pool_);
    if (at) {
      revive_at_[kind] = *at;
    } else {
      revive_at_.erase(kind);
    }
  }
}

/// Kills the tasks that the policy names. They end as KILLED and are no failures; their scheduler makes them
/// anew.
void OfferAnswer::kill_victims(Driver& driver) const {
  if (can_.kills_tasks == nullptr) return;
  auto victims = can_.kills_tasks->victims(pool_, driver.now());
  for (auto& task : victims) driver.kill(std::move(task), Duration::zero());
}

std::optional<Time> OfferAnswer::victims_at() const {
  if (can_.kills_tasks == nullptr) return {};
  return can_.kills_tasks->victims_at(pool_);
}

/// Revives for each starved pool, since its jobs wait for no better slots from now on and those that were
/// refused may suit them.
void OfferAnswer::relieve(Driver& driver) {
  while (auto starved = pool_.take_starved(driver.now())) {
    driver.trace(PoolStarved{starved->pool, starved->kind, starved->used, starved->target});
    revive(driver, {starved->kind});
    for (auto& [job, task] : starved->victims) {
      driver.trace(TaskPreempted{job, task, starved->kind, starved->pool, starved->enforced});
      if (starved->enforced) driver.kill(std::move(task), Duration::zero());
    }
  }
}

/// Compares the framework's share with the promises to its pools. The share is no more than the demand, so it
/// tells how much there is for the pools only if it is less than the demand was when the message was sent.
void OfferAnswer::warn_of_broken_promises(Driver& driver, std::span<const Standing> standings) {
  for (const auto& standing : standings) {
    const auto kind = standing.kind;
    auto& before = declared_[kind];
    const auto demand = pool_.demand(kind);
    if (before.at < driver.now() && std::min(before.units, demand) > standing.fair) {
      for (const auto& warning : pool_.broken_promises(kind, standing.fair)) {
        if (!warned_of_.insert({kind, warning.pool}).second) continue;
        driver.trace(PoolWarned{warning.pool, in_words(warning, "the framework's share is")});
      }
    }
    before = {driver.now(), demand};
  }
}

std::optional<Time> OfferAnswer::next_deadline() const {
  auto next = earlier(victims_at(), pool_.next_starved());
  for (const auto& [kind, at] : revive_at_) next = earlier(next, at);
  return next;
}

/// Revives once for each time that is due: if the revival brings no offers then no slot is free, and the next
/// free one is offered anyway.
void OfferAnswer::deadline(Driver& driver) {
  if (const auto at = victims_at(); at && *at <= driver.now()) kill_victims(driver);
  relieve(driver);
  for (auto it = revive_at_.begin(); it != revive_at_.end();) {
    if (it->second > driver.now()) {
      ++it;
      continue;
    }
    revive(driver, {it->first});
    it = revive_at_.erase(it);
  }
}

}  // namespace proffer::frameworks
