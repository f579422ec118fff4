// The clock of one job's wait for locality: its time, its level, and what starts it anew.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "frameworks/policies/recent_launches.hpp"
#include "proffer/time.hpp"
#include "proffer/topology.hpp"

namespace proffer::policies {

/// The rules by which a launch starts the job's wait anew: a research question of its own (SPARK-18886).
enum class ResetRule : std::uint8_t {
  /// A node-local launch takes the wait back by 2 (W1 + W2) / h, where h is the number of slots that the job
  /// still leaves to others, or idle, by waiting: all of it for a job that waits for its last slots, next to
  /// nothing for one that holds back from a hundred. So a job waits while its local launches come so fast
  /// that a slot stands back for W1 + W2 at most, on the average. docs/DELAY.md has the theory.
  pro_rata,
  /// A launch, if with it at least half of min(the job's fair share, its demand) runs in tasks at this level
  /// or nearer, going by the job's last launches, as many as it runs. A job that gets its due by local
  /// launches may wait for the next; one that does not has waited enough, and goes on at the level that its
  /// wait has reached. The wait runs from the first slot that the job lets pass until then.
  share_aware,
  /// Every launch, which also sets the level: the paper's rule. The level `any` is left only through a launch
  /// that is more local.
  on_launch,
  /// A node-local launch only: a job that has waited goes on without delay until it launches a local task.
  on_local_launch,
  /// Nothing: once a job has waited it never waits again.
  never,
  /// The end of a round (one message of offers) in which the job launched and let nothing pass, if all free
  /// slots were offered or the job has let nothing pass since the last reset; as Spark 3.1 does.
  no_rejects,
  /// Every launch, after which the job takes node-local tasks only, wherever that launch was: the rule of
  /// DSFS.
  to_node,
};
/// The rules that can be chosen for `wait`.
inline constexpr std::array<std::string_view, 6> kResetRules{
    "pro-rata", "share-aware", "on-launch", "on-local-launch", "never", "no-rejects"};

struct WaitSettings {
  Duration node_wait{};  ///< W1
  Duration rack_wait{};  ///< W2
  ResetRule reset = ResetRule::pro_rata;
  /// A slot that every job lets pass goes to the first of them, wherever its data is, while no other
  /// framework wants more slots. Such a launch leaves the job's wait as it is.
  bool work_conserving = false;
  /// A slot that has just come free is let pass until then, if that is longer than node_wait: others take it.
  /// If they do not, it is to be shown again after `idle_after`, and counts as one that stands idle.
  Duration fresh_wait{};
  Duration idle_after{};
};

class WaitClock {
 public:
  /// Notes a message of offers, `since_last` after the one before; `complete`: the one before offered all
  /// free slots.
  void tick(Duration since_last, bool complete, const WaitSettings& settings);
  void skip();
  /// Notes that no other job took the slot that was skipped last.
  void skipped_by_all() { left_ = true; }
  /// Notes a launch, with which the job has that of what it is due.
  void launch(Locality locality, Due due, const WaitSettings& settings);

  /// Returns the farthest locality that the job takes now, on a slot that stands idle or has just come free.
  Locality allowed(bool idle, const WaitSettings& settings) const;
  /// Returns how much longer the job must be skipped to take farther tasks on a slot that is idle by then;
  /// none: it takes any, or its clock stands.
  std::optional<Duration> until_next_level(const WaitSettings& settings) const;
  Duration waited() const { return wait_; }
  /// Returns the wait at `since_last` after the newest message.
  Duration waited(Duration since_last) const { return waiting_ || skipped_ ? wait_ + since_last : wait_; }

 private:
  Locality allowed(const WaitSettings& settings) const;
  void reset(Locality level);
  void pay_back(std::int64_t held_back, const WaitSettings& settings);
  void end_round(bool complete);

  Locality level_ = Locality::node;
  Duration wait_{};
  bool skipped_ = false;  ///< since the newest message
  bool left_ = false;     ///< since the newest message, and no other job took that slot
  bool waiting_ = false;  ///< skipped before that, and not started anew since; for pro_rata and share_aware
  // The rule no_rejects needs to know what happened in this round, and since the last reset.
  std::optional<Locality> launched_;
  bool passed_since_reset_ = false;
};

}  // namespace proffer::policies
