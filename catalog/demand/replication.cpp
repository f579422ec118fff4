#include "catalog/demand/replication.hpp"

#include <algorithm>

#include "catalog/demand/replicator.hpp"
#include "catalog/demand/watching.hpp"

namespace proffer::catalog {
namespace {

// All blocks are looked at in a scan.
constexpr Duration kShortestPause = std::chrono::milliseconds(100);
constexpr Duration kLongestPause = std::chrono::seconds(10);

void scan(const Turn& turn) {
  Replicator replicator(turn);
  replicator.restore();
  replicator.finish();
}

void run_round(const Turn& turn) {
  const auto& config = turn.state.config.replication;
  forget_silent_watchers(turn);
  // Before the replicator is made, which reads the factors that this sets.
  turn.state.heat.end_interval(config);
  Replicator replicator(turn);
  // First: the policy then finds what room there is under the cap.
  replicator.keep_the_cap();
  if (config.policy == ReplicationPolicy::dsbra) replicator.run_dsbra();
  if (config.policy == ReplicationPolicy::dare) replicator.run_dare();
  replicator.finish();
}

}  // namespace

void restore_replicas(const Turn& turn) {
  auto& state = turn.state;
  const auto& config = state.config.replication;
  if (!config.restores()) return;
  auto& next = state.timers.scan;
  if (next && *next <= turn.now) {
    scan(turn);
    next.reset();
  }
  const auto pause = std::clamp<Duration>(config.restore_after / 4, kShortestPause, kLongestPause);
  if (!next && state.lacking.needs_scan()) next = turn.now + pause;
}

void replicate_in_demand(const Turn& turn) {
  const auto& config = turn.state.config.replication;
  if (!config.on()) return;
  auto& next = turn.state.timers.round;
  if (!next) next = turn.now + config.interval;
  if (*next > turn.now) return;
  run_round(turn);
  next = turn.now + config.interval;
}

}  // namespace proffer::catalog
