// Answers offers on behalf of a scheduler: which tasks of its pool go where (the policy decides), what is
// declined for which reason and for how long, how much demand to declare, and when to REVIVE. What is left to
// the scheduler is to say what its tasks are.
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

#include "proffer/frameworks/policy.hpp"
#include "proffer/frameworks/scheduler.hpp"
#include "proffer/frameworks/task_pool.hpp"

namespace proffer::frameworks {

/// Forward the scheduler's callbacks to it: started, resource_offers, deadline, next_deadline. Every offer is
/// answered within the callback that brought it, so nothing is left over when a session ends.
class OfferAnswer {
 public:
  /// What to launch for a task that the pool has placed on that offer: one slot of its kind.
  using Describe = std::function<TaskSpec(const Placement&, const Offer&)>;

  /// Both must outlive it. `kinds`: slots that its tasks will ever want.
  OfferAnswer(TaskPool& pool, Policy& policy, std::vector<Kind> kinds);

  /// Accepts or declines every offer, and traces every placement.
  void answer(Driver& driver, const Offers& offers, const Describe& describe);
  /// Further offers of the message that was answered last, for which the pool is another one.
  void answer_more(Driver& driver, const Offers& offers, const Describe& describe);

  /// Declares the demand of every kind. Call it from Scheduler::started() and whenever tasks have ended or
  /// were taken back; answer() and tasks_added() do it by themselves.
  void declare(Driver& driver) const;
  /// Tasks or preferences were added to the pool: declares demand, and revives, since agents that were
  /// refused may suit them. Once after many additions is enough.
  void tasks_added(Driver& driver, Kind kind);

  /// What was refused of these may suit now.
  void revive(Driver& driver, std::vector<Kind> kinds) const;

  /// A job has left its place among the others, which may be another's now; that revives.
  void job_left(Driver& driver);

  /// When deadline() has something to do.
  std::optional<Time> next_deadline() const;
  void deadline(Driver& driver);

 private:
  /// What becomes of one offer.
  struct Answer {
    std::vector<TaskSpec> tasks;
    Resources left;
    std::optional<TaskPool::Rest> rest;  ///< none: nothing is left
    Kind rest_kind;
  };
  void note_kinds(const Offers& offers);
  void fill(Driver& driver, const Offers& offers, const Describe& describe);
  void look(Driver& driver, const Offer& offer, const Describe& describe, Answer& answer);
  void send(Driver& driver, const Offer& offer, Answer answer) const;
  std::optional<Duration> refuse_for(const Answer& answer, Time now) const;
  void look_again(Driver& driver);
  void kill_victims(Driver& driver) const;
  /// Ends tasks for pools of jobs that have starved for long enough.
  void relieve(Driver& driver);
  void warn_of_broken_promises(Driver& driver, std::span<const Standing> standings);

  TaskPool& pool_;
  Policy& policy_;
  std::set<Kind> kinds_;
  std::map<Kind, Time> revive_at_;
  struct Declared {
    Time at;
    std::int64_t units = 0;
  };
  std::map<Kind, Declared> declared_;  // with the newest answer
  std::set<std::pair<Kind, std::string>> warned_of_;
};

}  // namespace proffer::frameworks
