// Delay scheduling that finds its waits without being told anything about the cluster.
#pragma once

#include <map>
#include <optional>

#include "frameworks/policies/observed.hpp"
#include "frameworks/policies/recent_launches.hpp"
#include "frameworks/policies/standings.hpp"
#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/frameworks/settings.hpp"

namespace proffer::policies {

/// auto(l): each job lets as many slots pass as give it a node-local one with chance l. With data of the
/// job's unlaunched tasks on p of the agents that were seen, the number of slots is D = ln(1 - l) / ln(1 -
/// p) (Zaharia et al., EuroSys 2010, §3.3, with p measured instead of worked out from K, M and R); at the
/// rate r at which slots are seen to come free while a job waits, D slots take D / r.
///
/// - A wait is hopeless, and skipped, when a local slot is expected only after 1 / (p r) > `hopeless`: by
///   then most of a remote read would be done. `hopeless` is half of a task's mean time, as observed, up to
///   15 s.
/// - A wait that is not hopeless lasts D / r or `hopeless`, whichever is longer: slots come free without
///   memory, so a job that was unlucky has as much reason to wait as before.
/// - While nobody else wants slots, no other framework and no other job of this one, the slots that a job
///   lets pass stand idle, and its tasks wait one behind the other: then the wait of the mean one of its K
///   tasks counts, K / 2 local slots away.
/// - A launch starts the wait anew if half of min(fair share, demand) runs in local tasks (share-aware, as
///   `wait`); otherwise the job's wait goes on.
/// - A job without preferences, or in a starved framework or pool, does not wait.
///
/// There is no level for racks.
class AutoPolicy final : public Policy, public AsksForOffers {
 public:
  explicit AutoPolicy(Settings& settings);

  void opportunity(std::span<const Standing> standings, const Candidates& jobs, Time now) override;
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind kind, const Candidates& jobs, Time now) const override;
  void job_ended(JobId job) override;
  bool take_widened(Kind kind) override;
  Duration waited(JobId job, Kind kind, const Candidates& jobs, Time now) const override;

 private:
  struct Wait {  ///< the wait of one job
    Duration waited{};
    bool skipped = false;          ///< a slot was let pass since the wait began
    std::uint64_t skipped_in = 0;  ///< the newest message of which a slot was let pass
    bool refused = false;          ///< some slots were refused for locality, since the job last took more
    RecentLaunches launches;
  };
  struct View {  ///< the view of one kind of slot
    Observed seen;
    Time at;  ///< the time of the newest message with such slots
    std::uint64_t message = 0;
    Duration hopeless{};           ///< the setting, or the estimate at `at`
    std::optional<OfferId> offer;  ///< the newest offer that was counted
    std::map<JobId, Wait> waits;
    bool widened = false;  ///< a job takes more now than when it refused
  };
  View& look_at(const SlotLook& slot, const Candidates& jobs, Time now);
  void tick(View& view, Kind kind, const Candidates& jobs, Time now);
  /// Returns how long the job is to wait for a local slot, from its last reset; zero: not at all.
  Duration limit(const View& view, JobId job, Kind kind, const Candidates& jobs) const;
  Duration hopeless(const View& view, std::int64_t running) const;
  void note_widened(View& view, Kind kind, const Candidates& jobs) const;
  void launch(View& view, JobId job, Kind kind, const Candidates& jobs, Locality locality) const;

  std::int64_t locality_;             ///< l, in millionths
  std::optional<Duration> hopeless_;  ///< none: half a task
  Standings standings_;
  std::uint64_t messages_ = 0;
  std::map<Kind, View> views_;
};

}  // namespace proffer::policies
