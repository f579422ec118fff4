// Delay scheduling that is told nothing about the cluster.
#pragma once

#include <map>

#include "frameworks/policies/savings.hpp"
#include "frameworks/policies/wait.hpp"
#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/frameworks/settings.hpp"

namespace proffer::policies {

/// `wait` by the rule pro_rata, with a wait that the framework finds out (docs/DELAY.md):
///
/// - A job waits twice as long as a node-local launch saves, which the framework learns from its own tasks.
///   The job does not wait at all where that must be in vain: the slots that it holds back, each for a task's
///   time, are more than the slots of the agents with its data, each for the wait.
/// - While less than the part `locality` of its launches was node-local, it waits for a 32nd of a task even
///   if nothing is saved, and lets slots that have just come free pass for up to 10 s or two tasks: where
///   others take them that costs nothing. Those that nobody takes come again as idle ones.
/// - A job without preferences, or in a starved framework or pool, does not wait.
///
/// There is no level for racks.
class AutoPolicy final : public WaitPolicy, public AsksForOffers, public PlansOffers, public SeesEnds {
 public:
  explicit AutoPolicy(Settings& settings);

  void shown(std::span<const Offer> offers, const Candidates& jobs, Time now) override;
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  void task_finished(const RunningTask& task, Kind kind, Duration run_time) override;
  bool take_widened(Kind kind) override;
  void job_ended(JobId job) override;

 private:
  struct View {  ///< the view of one kind of slot
    Savings savings;
    Duration saves = savings.expected();  ///< by which slots were refused
    std::int64_t slots = 1;               ///< the most that one agent has offered
    std::int64_t near = 0;                ///< node-local launches
    std::int64_t launched = 0;            ///< all launches of jobs that prefer some place
    bool widened = false;                 ///< slots were refused for longer than is worth it now
  };
  WaitSettings settings_of(JobId job, Kind kind, const Candidates& jobs) const override;

  std::int64_t locality_;  ///< in millionths
  std::map<Kind, View> views_;
};

}  // namespace proffer::policies
