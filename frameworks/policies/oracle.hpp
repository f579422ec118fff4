// Delay scheduling that knows when slots come free.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>

#include "frameworks/policies/future_slots.hpp"
#include "frameworks/policies/standings.hpp"
#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/frameworks/settings.hpp"

namespace proffer::policies {

/// A job lets a slot without local data pass while each of its unlaunched tasks will have a slot on an agent
/// that holds its input within `horizon`, and takes it at once for a task that will not. Jobs come in fair
/// order. Among a job's tasks that are local on a slot, the one goes whose next chance is farthest off.
///
/// Several tasks may wait for one slot, since it is released again. Others may be faster, rates of reads
/// change, and some slots may not be for this framework: a job that has let slots pass for twice the
/// `horizon` without a launch waits no more. Starved frameworks and pools do not wait.
class OraclePolicy final : public Policy, public ChoosesTasks, public PlansOffers, public NeedsForesight {
 public:
  explicit OraclePolicy(Settings& settings);

  void opportunity(std::span<const Standing> standings, const Candidates&, Time) override {
    standings_.update(standings);
  }
  /// Forgets what was foreseen when the last message came, which is out of date.
  void shown(std::span<const Offer>, const Candidates&, Time) override { slots_.clear(); }
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind kind, const Candidates& jobs, Time now) const override;
  void job_ended(JobId job) override;
  Duration waited(JobId job, Kind kind, const Candidates& jobs, Time now) const override;
  void choose_among(const TaskView& tasks) override { tasks_ = &tasks; }
  void foresee(const Foresight& foresight) override { foresight_ = &foresight; }

 private:
  using JobKind = std::pair<Kind, JobId>;
  struct Wait {
    std::optional<Time> since;  ///< since when the job lets slots pass, without a launch
    bool in_vain = false;       ///< the job has once waited for twice the horizon
  };
  std::optional<Take> best(JobId job, const SlotLook& slot, const Candidates& jobs, Time now);
  std::optional<Take> local_task(JobId job, const SlotLook& slot, Time now);
  std::optional<Take> hopeless_task(JobId job, const SlotLook& slot, const Candidates& jobs, Time now);
  FutureSlots& slots(Kind kind, Time now);
  bool was_deceived(const JobKind& job, Time now);

  Duration horizon_;
  Standings standings_;
  const Foresight* foresight_ = nullptr;
  const TaskView* tasks_ = nullptr;
  std::map<Kind, FutureSlots> slots_;  // foreseen since the newest message
  std::map<JobKind, Wait> waits_;
};

}  // namespace proffer::policies
