// Locality markers of agents instead of waits of jobs.
#pragma once

#include <map>
#include <set>

#include "frameworks/policies/standings.hpp"
#include "proffer/frameworks/policy.hpp"
#include "proffer/frameworks/settings.hpp"

namespace proffer::policies {

/// Matchmaking (He, Lu, Swanson, CloudCom 2011): an agent that has no local task for any job is marked and
/// gets nothing; when the agent is looked at again, a pass later, and still has no local task, it gets one
/// non-local task of the neediest job, and must be marked anew before it gets another. A new job clears all
/// marks, since its data may lie on a marked agent.
///
/// A pass was a heartbeat of a node in the paper, of 3 s; here it is the time for which a marked agent is
/// hidden. The rule knows no racks: of non-local tasks the job's nearest is taken. Jobs without preferences,
/// and all jobs of a starved framework or pool, need no mark.
class MatchmakingPolicy final : public Policy {
 public:
  explicit MatchmakingPolicy(Settings& settings);

  void opportunity(std::span<const Standing> standings, const Candidates&, Time) override {
    standings_.update(standings);
  }
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind kind, const Candidates& jobs, Time now) const override;
  void job_ended(JobId job) override;
  Duration waited(JobId job, Kind kind, const Candidates& jobs, Time now) const override;

 private:
  struct Marks {  ///< the marks of one kind of slot
    std::set<AgentId> agents;
    std::set<JobId> jobs;         ///< the jobs that existed when the marks were made
    std::map<JobId, Time> since;  ///< the time of the first slot let pass since the last launch
  };
  void note_new_jobs(Marks& marks, std::span<const JobId> jobs);
  static Take take(Marks& marks, Take take, Time now);

  Duration pass_;
  Standings standings_;
  std::map<Kind, Marks> marks_;
};

}  // namespace proffer::policies
