// One job's wait for locality: how long, at which level, and what starts it anew.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "proffer/time.hpp"
#include "proffer/topology.hpp"

namespace proffer {

/// When a launch starts the job's wait anew. It is a research question of its own (SPARK-18886).
enum class ResetRule : std::uint8_t {
  /// A launch, provided that with it at least half of min(the job's fair share, its demand) runs in tasks as
  /// near as this one, as its last launches tell, as many of them as it runs. A job that gets what is due to
  /// it by local launches may wait for the next; one that does not has waited enough, and goes on at the
  /// level that its wait has reached. The wait runs from the first slot that the job lets pass until then.
  share_aware,
  /// Every launch, which also sets the level: the paper's. The any level is left only through a launch
  /// that is more local.
  on_launch,
  /// Only a node-local launch: a job that has waited goes on without delay until it launches a local task.
  on_local_launch,
  /// Nothing: once it has waited it never waits again.
  never,
  /// As Spark 3.1 does: the end of a round (one message of offers) in which the job launched and let nothing
  /// pass, if all free slots were offered to it or it has let nothing pass since the last reset.
  no_rejects,
  /// Every launch, after which the job takes node-local tasks only, wherever that launch was: DSFS's.
  to_node,
};
/// Those that can be chosen for `wait`.
inline constexpr std::array<std::string_view, 5> kResetRules{"share-aware", "on-launch", "on-local-launch",
                                                             "never", "no-rejects"};

struct WaitSettings {
  Duration node_wait{};  ///< W1
  Duration rack_wait{};  ///< W2
  ResetRule reset = ResetRule::share_aware;
  /// While no other framework wants more slots, what every job of this one lets pass goes to the first of
  /// them, wherever its data is. Such a launch leaves the job's wait as it is.
  bool work_conserving = false;
};

class WaitClock {
 public:
  /// A message of offers came `since_last` after the one before; `complete`: that one offered all free slots.
  void tick(Duration since_last, bool complete, const WaitSettings& settings);
  void skip();
  /// `earned`: what share_aware asks for.
  void launch(Locality locality, bool earned, const WaitSettings& settings);

  /// The farthest it takes now.
  Locality allowed(const WaitSettings& settings) const;
  /// How much longer it must be skipped to take farther tasks; none: it takes any, or its clock stands.
  std::optional<Duration> until_next_level(const WaitSettings& settings) const;
  Duration waited() const { return wait_; }
  /// So long after the newest message.
  Duration waited(Duration since_last) const { return waiting_ || skipped_ ? wait_ + since_last : wait_; }

 private:
  void reset(Locality level);
  void end_round(bool complete);

  Locality level_ = Locality::node;
  Duration wait_{};
  bool skipped_ = false;  ///< since the newest message
  bool waiting_ = false;  ///< for share_aware: before that, and not started anew since
  // For no_rejects: what happened in this round, and since the last reset.
  std::optional<Locality> launched_;
  bool passed_since_reset_ = false;
};

}  // namespace proffer
