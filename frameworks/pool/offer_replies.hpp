// The answers to the offers that a framework gets, for the tasks of its pool: at once or after the policy's
// delay, and without tasks that are to avoid the offering agent for a while.
//
// Invariant: a task that avoids an agent waits in the pool, except while an offer of that agent is answered.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "frameworks/pool/avoided.hpp"
#include "frameworks/pool/held_offers.hpp"
#include "frameworks/pool/offer_answer.hpp"
#include "proffer/frameworks/offer_totals.hpp"
#include "proffer/frameworks/task_pool.hpp"

namespace proffer::frameworks {

class OfferReplies {
 public:
  using Describe = OfferAnswer::Describe;

  /// `pool` must outlive this. `kinds`: the kinds of slots that its tasks will ever want.
  OfferReplies(TaskPool& pool, std::vector<Kind> kinds) : pool_(pool), kinds_(std::move(kinds)) {}

  /// Sets the policy to go by from now on. Must be called before anything below.
  void use(std::unique_ptr<Policy> policy);
  Policy& policy() const { return *policy_; }
  /// The part that declares demand and asks for offers.
  OfferAnswer& requests() { return *answer_; }
  const OfferAnswer& requests() const { return *answer_; }

  /// True when the policy keeps these offers, to be answered later: see take_due().
  bool keeps(const Offers& offers, Time now);
  void rescind(std::span<const OfferId> offers) { held_.rescind(offers); }
  void disconnected() { held_.clear(); }
  /// Takes out offers whose delay is over; none when there are none.
  std::optional<Offers> take_due(Time now) { return held_.take_due(now); }

  /// Accepts or declines each of these offers, first those of agents that no task avoids. `describe` says
  /// what to launch for a task that was placed.
  void answer(Driver& driver, const Offers& offers, const Describe& describe);

  /// Keeps a task that waits in the pool from being launched on an agent for a while.
  void avoid(const TaskId& task, const Avoided::Entry& entry) { avoided_.add(task, entry); }
  /// Lets the tasks that have avoided an agent for long enough be launched there again. Returns their kinds;
  /// the caller asks for such slots, which were refused meanwhile: requests().tasks_added().
  std::vector<Kind> end_avoiding(Time now);
  /// Takes an unlaunched task out of the pool. Aborts when there is none of that id.
  void withdraw(JobId job, const TaskId& task);

  /// The time at which take_due(), end_avoiding() or requests().deadline() has something to do; none: never.
  std::optional<Time> next_deadline() const;
  const OfferTotals& totals() const { return totals_; }

 private:
  void answer_avoided(Driver& driver, const Offers& offers, const Offer& offer, const Describe& describe);

  TaskPool& pool_;
  std::vector<Kind> kinds_;
  std::unique_ptr<Policy> policy_;
  std::optional<OfferAnswer> answer_;
  HeldOffers held_;
  Avoided avoided_;
  OfferTotals totals_;
};

}  // namespace proffer::frameworks
