#include "catalog/demand/watching.hpp"

#include <algorithm>
#include <utility>

#include "catalog/state/replicas.hpp"
#include "proffer/limits.hpp"

namespace proffer::catalog {
namespace {

constexpr std::size_t kBytesOfChanges = limits::kFrameBytes / 2;
// The most that is sent to one framework in one beat: half of what the queue to it holds.
constexpr std::size_t kBytesPerBeat = limits::kPeerQueueBytes / 2;
// Reports come at most ten times a second, however short the interval is.
constexpr Duration kSilent = std::chrono::seconds(1);

/// Returns at least what the message of a block's places takes.
std::size_t size_of(const BlockPlaces& places) {
  std::size_t bytes = 40;
  for (const auto& replica : places.replicas) bytes += replica.endpoint.size() + replica.rack.size() + 40;
  return bytes;
}

/// Takes as many of the watcher's changes as a message should hold.
ReplicasChanged next_page(const State& state, Watchers::Watcher& watcher) {
  ReplicasChanged page;
  std::size_t bytes = 0;
  while (!watcher.changed.empty() && bytes < kBytesOfChanges) {
    const auto block = *watcher.changed.begin();
    watcher.changed.erase(watcher.changed.begin());
    const auto length = state.names.sealed_length(block);
    if (length == 0) continue;
    page.blocks.push_back({block, live_replicas(state, block, length)});
    bytes += size_of(page.blocks.back());
  }
  watcher.bytes += bytes;
  return page;
}

}  // namespace

bool has_watchers(const CatalogConfig& config) {
  return config.heartbeat > Duration::zero() || config.replication.on() || config.replication.restores();
}

UseWanted use_wanted(const CatalogConfig& config) {
  if (!has_watchers(config)) return {};
  const auto& replication = config.replication;
  const bool dsbra = replication.policy == ReplicationPolicy::dsbra;
  return {replication.interval, replication.threshold, dsbra && replication.variant == DsbraVariant::accessed,
          replication.policy == ReplicationPolicy::dare};
}

void note_replicas_of(const Turn& turn, AgentId agent) {
  for (const auto& [block, length] : turn.state.replicas.held_by(agent)) turn.state.watchers.note(block);
}

void send_replica_changes(const Turn& turn) {
  auto& state = turn.state;
  const bool is_paced = state.config.heartbeat > Duration::zero();
  const auto waiting = state.watchers.distribute_changes();
  for (const auto peer : waiting) {
    auto& watcher = state.watchers.at(peer);
    while (!watcher.changed.empty() && !(is_paced && watcher.bytes >= kBytesPerBeat)) {
      auto page = next_page(state, watcher);
      if (!page.blocks.empty()) turn.answer(peer, std::move(page));
    }
    if (watcher.changed.empty()) state.watchers.sent_all(peer);
  }
}

void forget_silent_watchers(const Turn& turn) {
  auto& state = turn.state;
  state.watchers.expire(turn.now - std::max(3 * state.config.replication.interval, kSilent));
}

void lose_watcher(const Turn& turn, PeerId peer) { turn.state.watchers.forget(peer); }

}  // namespace proffer::catalog
