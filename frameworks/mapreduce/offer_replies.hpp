// The answers to the offers that a framework gets, for the tasks of its pool: at once or after the policy's
// delay, and without tasks that are to avoid the offering agent for a while.
//
// Invariant: a task that avoids an agent waits in the pool, except while an offer of that agent is answered.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "frameworks/pool/avoided.hpp"
#include "frameworks/pool/held_offers.hpp"
#include "frameworks/pool/offer_answer.hpp"
#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/frameworks/task_pool.hpp"

namespace proffer::mapreduce {

class OfferReplies {
 public:
  using Describe = frameworks::OfferAnswer::Describe;

  /// `pool` must outlive this. Its tasks are maps and reduces, on slots of these kinds.
  OfferReplies(TaskPool& pool, Kind map, Kind reduce) : pool_(pool), kinds_{map, reduce} {}

  /// Sets the policy to go by from now on. Must be called before anything below.
  void use(std::unique_ptr<Policy> policy);
  Policy& policy() const { return *policy_; }
  /// The part that declares demand and asks for offers.
  frameworks::OfferAnswer& requests() { return *answer_; }
  const frameworks::OfferAnswer& requests() const { return *answer_; }

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
  void avoid(const TaskId& task, const frameworks::Avoided::Entry& entry) { avoided_.add(task, entry); }
  /// Asks for the slots of agents that tasks have avoided for long enough.
  void end_avoiding(Driver& driver, Time now);
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
  std::optional<frameworks::OfferAnswer> answer_;
  frameworks::HeldOffers held_;
  frameworks::Avoided avoided_;
  OfferTotals totals_;
};

}  // namespace proffer::mapreduce
