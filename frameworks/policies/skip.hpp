// Delay scheduling that counts looks at slots.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "frameworks/policies/standings.hpp"
#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/frameworks/settings.hpp"

namespace proffer::policies {

struct SkipSettings {
  std::int64_t node_skips = 0;  ///< D1: looks without a node-local task before a rack-local one is taken
  std::int64_t rack_skips = 0;  ///< D2: further looks before any task is taken
  /// The time for which a slot may stand idle before a job that waits for looks moves on to its next level by
  /// itself; none: never, as in the paper, where an idle node comes again with each heartbeat.
  std::optional<Duration> idle_after = std::chrono::seconds(15);
  /// Every launch sets the count to 0, so that a job waits afresh for each task, as the analysis of the paper
  /// (§3.3) assumes; its algorithm 2 does not do so.
  bool reset_on_launch = false;
  /// A slot that every job lets pass goes to the first of them, wherever its data is, while no other
  /// framework wants more slots. Such looks do not count.
  bool work_conserving = false;
};

/// Zaharia et al., Delay Scheduling, EuroSys 2010, algorithm 2, with a level for racks (§4.1): a job without
/// a local task on a node lets D looks pass, and takes anything at look D + 1. A local launch sets the job's
/// count to 0; a rack-local one past D1 + D2 takes it back to D1; other launches leave the count, so that a
/// job goes on launching non-local tasks until it launches a local one again.
///
/// A look is an offer, however many slots it has. Slots that stood idle since the job's last look at that
/// agent are no new opportunity. Jobs without an unlaunched task are not skipped; jobs without preferences,
/// and all jobs of a starved framework or pool, do not wait.
class SkipPolicy final : public Policy, public AsksForOffers {
 public:
  explicit SkipPolicy(Settings& settings);

  void opportunity(std::span<const Standing> standings, const Candidates& jobs, Time now) override;
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  /// Returns `now` while some job counts looks.
  std::optional<Time> next_level_change(Kind kind, const Candidates& jobs, Time now) const override;
  void job_ended(JobId job) override;
  Duration waited(JobId job, Kind kind, const Candidates& jobs, Time now) const override;
  bool take_widened(Kind kind) override;
  std::optional<Time> look_again_at(Kind kind, const Candidates& jobs) const override;

 private:
  struct Count {
    std::int64_t skips = 0;
    std::optional<Time> since;       ///< the time of the first slot let pass since the count was last 0
    std::optional<OfferId> skipped;  ///< the offer that was let pass last
    Locality held = Locality::node;  ///< the farthest locality that was allowed then
    std::set<AgentId> looked;        ///< agents that the job was shown
    Time last_look;                  ///< the last look that counted
    Time last_pass;                  ///< the last look, counted or not
  };
  Locality allowed(const Count& count) const;
  void launch(Count& count, Locality locality) const;
  static Duration waited(const Count& count, Time now);
  void skip(Count& count, const SlotLook& slot, Time now);
  std::int64_t next_level(const Count& count) const;

  SkipSettings settings_;
  Standings standings_;
  std::map<std::pair<Kind, JobId>, Count> counts_;
  std::set<Kind> widened_;
};

}  // namespace proffer::policies
