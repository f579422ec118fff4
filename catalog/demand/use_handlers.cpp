#include "catalog/demand/use_handlers.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "catalog/demand/replicator.hpp"
#include "catalog/state/replicas.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

constexpr std::size_t kBytesOfChanges = limits::kFrameBytes / 2;
// To one framework in one beat: half of what the queue to it takes.
constexpr std::size_t kBytesPerBeat = limits::kPeerQueueBytes / 2;
// Reports come at most ten times a second, however short the interval is.
constexpr Duration kSilent = std::chrono::seconds(1);

void end_copy(BlockId block, AgentId agent, std::uint64_t bytes, const std::string& why, Outbox& out) {
  out.trace(CopyEnded{block, bytes, agent, why.empty(), why});
}

/// They have been taken out of the table. Those in place of lost replicas are for the next look.
void copies_failed(CatalogState& state, CopyTable::Closed failed, const std::string& why, Outbox& out,
                   Time now) {
  std::optional<Replicator> replicator;  // it looks at all blocks
  for (auto& [key, copy] : failed) {
    const auto& [block, target] = key;
    end_copy(block, target, copy.length, why, out);
    if (state.lacking.contains(block)) {
      state.lacking.failed_at(block, target);
      continue;
    }
    copy.failed.insert(target);
    if (!state.config.replication.on()) continue;
    if (!replicator) replicator.emplace(state, out, now);
    replicator->try_elsewhere(block, copy);
  }
  if (replicator) replicator->finish();
}

std::size_t size_of(const BlockPlaces& places) {
  std::size_t bytes = 40;
  for (const auto& replica : places.replicas) bytes += replica.endpoint.size() + replica.rack.size() + 40;
  return bytes;
}

/// As much of the news as a message should hold, which is news no longer.
ReplicasChanged next_page(const CatalogState& state, Watchers::Watcher& watcher) {
  ReplicasChanged page;
  std::size_t bytes = 0;
  while (!watcher.news.empty() && bytes < kBytesOfChanges) {
    const auto block = *watcher.news.begin();
    watcher.news.erase(watcher.news.begin());
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

UseWanted use_wanted(const CatalogConfig& catalog) {
  if (!has_watchers(catalog)) return {};
  const auto& config = catalog.replication;
  const bool dsbra = config.policy == ReplicationPolicy::dsbra;
  return {config.interval, config.threshold, dsbra && config.variant == DsbraVariant::accessed,
          config.policy == ReplicationPolicy::dare};
}

void handle(CatalogState& state, PeerId peer, const BlocksUsed& used, Outbox&, Time now) {
  const auto& config = state.config.replication;
  if (!has_watchers(state.config)) return;  // it has not yet heard that nobody wants to know
  state.watchers.heard(peer, now);
  for (const auto& use : used.blocks) state.watchers.read(peer, use.block);
  if (!config.on()) return;  // it is told of replicas, and that is all
  for (const auto& use : used.blocks) {
    if (state.names.is_sealed(use.block)) state.heat.read(use, config.threshold);
  }
  for (const auto& read : used.remote) {
    if (state.names.is_sealed(read.block)) state.heat.read_remotely(read);
  }
}

void handle(CatalogState& state, const MessageReceived& in, const CopyFailed& failed, Outbox& out, Time now) {
  const auto* agent = state.agents.match(in.peer, in.envelope.session);
  if (!agent) return out.refuse(in, {ErrorCode::unknown_session, "no such session here; report again"});
  const auto id = agent->info.id;
  auto copy = state.copies.close(failed.block, id);
  if (copy) copies_failed(state, {{{failed.block, id}, std::move(*copy)}}, failed.error.message, out, now);
}

bool copy_arrived(CatalogState& state, AgentId agent, BlockId block, Outbox& out) {
  const auto copy = state.copies.close(block, agent);
  if (!copy) return false;
  end_copy(block, agent, copy->length, "", out);
  state.watchers.note(block);
  return true;
}

void forget_copies_to(CatalogState& state, AgentId agent, const char* why, Outbox& out) {
  for (const auto& [key, copy] : state.copies.close_to(agent)) {
    end_copy(key.first, agent, copy.length, why, out);
  }
}

void forget_block(CatalogState& state, BlockId block, Outbox& out) {
  state.heat.forget(block);
  for (const auto& [key, copy] : state.copies.close_of(block)) {
    end_copy(block, key.second, copy.length, "its file was removed", out);
  }
}

void give_up_late_copies(CatalogState& state, Outbox& out, Time now) {
  copies_failed(state, state.copies.close_overdue(now), "it took too long", out, now);
}

void forget_silent_watchers(CatalogState& state, Time now) {
  state.watchers.expire(now - std::max(3 * state.config.replication.interval, kSilent));
}

void note_all_of(CatalogState& state, AgentId agent) {
  for (const auto& [block, length] : state.replicas.held_by(agent)) state.watchers.note(block);
}

void tell_watchers(CatalogState& state, Outbox& out) {
  const bool is_paced = state.config.heartbeat > Duration::zero();
  const auto waiting = state.watchers.take_news();
  for (const auto peer : waiting) {
    auto& watcher = state.watchers.at(peer);
    while (!watcher.news.empty() && !(is_paced && watcher.bytes >= kBytesPerBeat)) {
      auto page = next_page(state, watcher);
      if (!page.blocks.empty()) out.answer(peer, std::move(page));
    }
    if (watcher.news.empty()) state.watchers.told(peer);
  }
}

}  // namespace proffer
