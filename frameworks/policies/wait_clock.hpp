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
  /// Every launch, which also sets the level: the paper's. The any level is left only through a launch that
  /// is
  /// more local.
  on_launch,
  /// Only a node-local launch: a job that has waited goes on without delay until it launches a local task.
  on_local_launch,
  /// Nothing: once it has waited it never waits again.
  never,
  /// As Spark 3.1 does: the end of a round (one message of offers) in which the job launched and let nothing
  /// pass, if all free slots were offered to it or it has let nothing pass since the last reset.
  no_rejects,
  /// A launch, provided that with it the job runs at least half of min(its fair share, its demand).
  share_aware,
};
inline constexpr std::array<std::string_view, 5> kResetRules{"on-launch", "on-local-launch", "never",
                                                             "no-rejects", "share-aware"};

struct WaitSettings {
  Duration node_wait{};  ///< W1
  Duration rack_wait{};  ///< W2
  ResetRule reset = ResetRule::on_launch;
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

 private:
  void reset(Locality level);
  void end_round(bool complete);

  Locality level_ = Locality::node;
  Duration wait_{};
  bool skipped_ = false;
  // For no_rejects: what happened in this round, and since the last reset.
  std::optional<Locality> launched_;
  bool passed_since_reset_ = false;
};

}  // namespace proffer
