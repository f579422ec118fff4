// Delay scheduling that counts the time of a job's wait.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "frameworks/policies/recent_launches.hpp"
#include "frameworks/policies/standings.hpp"
#include "frameworks/policies/wait_clock.hpp"
#include "proffer/frameworks/policy.hpp"
#include "proffer/frameworks/settings.hpp"

namespace proffer::policies {

/// Zaharia et al., Delay Scheduling, EuroSys 2010, algorithm 3: a job waits W1 for a node-local task, then W2
/// more for a rack-local one, then takes anything. In the paper every launch puts the job at the level of
/// that launch and starts its wait anew; here that is one rule of several, and not the usual one
/// (ResetRule).
///
/// The clock works in two levels: between two messages with offers of a kind a job's wait runs if and only if
/// the job was skipped at the former; all offers of one message share one instant. Jobs without preferences,
/// and all jobs of a starved framework or pool, do not wait.
class WaitPolicy : public Policy {
 public:
  explicit WaitPolicy(Settings& settings);

  void opportunity(std::span<const Standing> standings, const Candidates& jobs, Time now) override;
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind kind, const Candidates& jobs, Time now) const override;
  void job_ended(JobId job) override;
  Duration waited(JobId job, Kind kind, const Candidates& jobs, Time now) const override;

 protected:
  explicit WaitPolicy(WaitSettings settings) : settings_(settings) {}
  /// Returns how long that job waits now.
  virtual WaitSettings settings_of(JobId, Kind, const Candidates&) const { return settings_; }
  /// Returns what a job of which so many tasks run has of what it is due, at that level or nearer. Known
  /// under the rules pro_rata and share_aware only.
  Due due(JobId job, Kind kind, const Candidates& jobs, std::int64_t running, Locality locality) const;

 private:
  struct Opportunity {  ///< the newest message with offers of a kind
    Time at;
    std::uint64_t message = 0;
    bool complete = false;
  };
  void tick_clocks(Kind kind, Time now);
  Take take(WaitClock& clock, JobId job, Kind kind, const Candidates& jobs, Locality locality);

  WaitSettings settings_;
  Standings standings_;
  std::uint64_t messages_ = 0;
  std::map<Kind, Opportunity> newest_;
  std::map<std::pair<Kind, JobId>, WaitClock> clocks_;
  std::map<std::pair<Kind, JobId>, RecentLaunches> launches_;  ///< see due()
};

}  // namespace proffer::policies
