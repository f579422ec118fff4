// The answers to the offers that a framework gets, for the tasks of its pool: at once, after the policy's
// delay, or when there are slots for all tasks of a rigid job; and without tasks that are to avoid the
// offering agent for a while.
//
// Invariant: a task that avoids an agent waits in the pool, except while an offer of that agent is answered.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "frameworks/pool/avoided.hpp"
#include "frameworks/pool/gathering.hpp"
#include "frameworks/pool/held_offers.hpp"
#include "frameworks/pool/offer_answer.hpp"
#include "proffer/frameworks/job_sharing.hpp"
#include "proffer/frameworks/offer_totals.hpp"
#include "proffer/frameworks/task_pool.hpp"

namespace proffer::frameworks {

class OfferReplies {
 public:
  using Describe = OfferAnswer::Describe;

  /// `pool` must outlive this. `kinds`: the kinds of slots that its tasks will ever want. `gather_for`: the
  /// longest time for which slots are gathered for a rigid job.
  OfferReplies(TaskPool& pool, std::vector<Kind> kinds, Duration gather_for = kGatherFor)
      : pool_(pool), kinds_(std::move(kinds)), gathering_(gather_for) {}

  /// Sets the policy to go by from now on. Must be called before anything below.
  void use(std::unique_ptr<Policy> policy);
  Policy& policy() const { return *policy_; }
  /// The part that declares demand and asks for offers.
  OfferAnswer& requests() { return *answer_; }
  const OfferAnswer& requests() const { return *answer_; }

  /// True when the policy keeps these offers, to be answered later: see take_due().
  bool keeps(const Offers& offers, Time now);
  void rescind(std::span<const OfferId> offers);
  void disconnected();
  /// Takes out offers whose delay is over; none when there are none.
  std::optional<Offers> take_due(Time now) { return held_.take_due(now); }
  /// Answers what was gathered for a rigid job in vain: it goes to other jobs by the policy, or is declined.
  /// None: nothing was.
  std::optional<GatheredTooFew> let_go(Driver& driver, const Describe& describe);

  /// Accepts or declines each of these offers, first those of agents that no task avoids, or gathers them for
  /// a rigid job. `describe` says what to launch for a task that was placed.
  void answer(Driver& driver, const Offers& offers, const Describe& describe);

  /// Keeps a task that waits in the pool from being launched on an agent for a while.
  void avoid(const TaskId& task, const Avoided::Entry& entry) { avoided_.add(task, entry); }
  /// Lets the tasks that have avoided an agent for long enough be launched there again, and rigid jobs that
  /// have paused gather slots. Returns their kinds; the caller asks for such slots, which were refused
  /// meanwhile: requests().tasks_added().
  std::vector<Kind> end_waits(Time now);
  /// Forgets a job that has left the pool.
  void forget(JobId job) { gathering_.forget(job); }
  /// Takes an unlaunched task out of the pool. Aborts when there is none of that id.
  void withdraw(JobId job, const TaskId& task);

  /// The time at which take_due(), let_go(), end_waits() or requests().deadline() has something to do;
  /// none: never.
  std::optional<Time> next_deadline() const;
  const OfferTotals& totals() const { return totals_; }

 private:
  std::optional<RigidWish> wish(Time now) const;
  /// True when slots are held for a job that does not want them any more.
  bool gathers_for_nobody() const;
  /// True when some task of the job is not to be launched on that agent for a while.
  bool avoids(JobId job, AgentId agent) const;
  /// Keeps offers that a rigid job waits for; returns the others.
  std::vector<Offer> gather(const Offers& offers, Time now);
  /// Launches all tasks of the job for which slots were gathered.
  void launch_whole(Driver& driver, const Describe& describe);
  /// Returns `describe`, by which a task that is launched avoids nothing any more. `describe` must outlive
  /// it.
  Describe noting(const Describe& describe);
  /// Answers by the policy.
  void answer_others(Driver& driver, Offers offers, const Describe& describe);
  void answer_avoided(Driver& driver, const Offers& offers, const Offer& offer, const Describe& describe);

  TaskPool& pool_;
  std::vector<Kind> kinds_;
  std::unique_ptr<Policy> policy_;
  std::optional<OfferAnswer> answer_;
  HeldOffers held_;
  Gathering gathering_;
  Avoided avoided_;
  OfferTotals totals_;
};

}  // namespace proffer::frameworks
