// Answers offers on behalf of a scheduler: which tasks of its pool go where (the policy decides), what is
// declined for which reason and for how long, how much demand to declare, and when to REVIVE. The scheduler
// only describes its tasks.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/frameworks/scheduler.hpp"
#include "proffer/frameworks/task_pool.hpp"

namespace proffer::frameworks {

/// Answers each offer within the callback that brought it, so nothing is left over when a session ends. Its
/// owner forwards these callbacks of a scheduler: started, resource_offers, deadline, next_deadline.
class OfferAnswer {
 public:
  /// Returns the task to launch for one that the pool has placed on that offer; it takes what
  /// TaskPool::need() says.
  using Describe = std::function<TaskSpec(const Placement&, const Offer&)>;

  /// `pool` and `policy` must outlive this. `kinds`: the kinds of slots that tasks will ever want.
  OfferAnswer(TaskPool& pool, Policy& policy, std::vector<Kind> kinds);

  /// Accepts or declines every offer, and traces every placement.
  void answer(Driver& driver, const Offers& offers, const Describe& describe);
  /// Answers further offers of the message that was answered last, for which the pool has other tasks.
  void answer_more(Driver& driver, const Offers& offers, const Describe& describe);

  /// Declares the demand of every kind. Call this from Scheduler::started() and whenever tasks have ended or
  /// were taken back; answer() and tasks_added() declare it by themselves.
  void declare(Driver& driver) const;
  /// Declares demand, and revives, after tasks or preferences were added to the pool: agents that were
  /// refused may suit them. One call after many additions is enough.
  void tasks_added(Driver& driver, Kind kind);

  /// Ends a launched task of the pool, as its last status says, and tells a policy that learns from it.
  void ended(const Driver& driver, JobId job, Kind kind, const TaskStatus& status);

  /// Asks for slots of these kinds that were refused: they may suit now.
  void revive(Driver& driver, std::vector<Kind> kinds) const;

  /// Revives if a job that waited under a limit takes the place of one that has left.
  void job_left(Driver& driver);

  /// Returns how long a message of offers is to be held before it is answered; zero unless the policy
  /// HoldsOffers.
  Duration holds_offers() const;

  /// Returns when deadline() has something to do.
  std::optional<Time> next_deadline() const;
  void deadline(Driver& driver);

 private:
  /// The answer to one offer.
  struct Answer {
    std::vector<TaskSpec> tasks;
    Resources left;
    std::optional<TaskPool::Rest> rest;  ///< none: nothing is left
    Kind rest_kind;
  };
  void note_kinds(const Offers& offers);
  /// A task of one bulk kind may want all of them.
  void note_kind(Kind kind);
  void fill(Driver& driver, const Offers& offers, const Describe& describe);
  void look(Driver& driver, const Offer& offer, const Describe& describe, Answer& answer);
  void send(Driver& driver, const Offer& offer, Answer answer) const;
  std::optional<Duration> refuse_for(const Answer& answer, Time now) const;
  void look_again(Driver& driver);
  void kill_victims(Driver& driver) const;
  std::optional<Time> victims_at() const;
  /// Kills tasks for pools of jobs that have starved for long enough.
  void relieve(Driver& driver);
  void warn_of_broken_promises(Driver& driver, std::span<const Standing> standings);

  TaskPool& pool_;
  Policy& policy_;
  PolicyAbilities can_;
  std::set<Kind> kinds_;
  std::map<Kind, Time> revive_at_;
  struct Declared {
    Time at;
    std::int64_t units = 0;
  };
  std::map<Kind, Declared> declared_;  ///< the demand that the newest answer declared
  std::set<std::pair<Kind, std::string>> warned_of_;
};

}  // namespace proffer::frameworks
