#include "storage/use_handlers.hpp"

#include <optional>
#include <utility>

#include "proffer/limits.hpp"
#include "storage/replicas.hpp"
#include "storage/replicator.hpp"

namespace proffer {
namespace {

constexpr std::size_t kBytesOfChanges = limits::kFrameBytes / 2;

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

}  // namespace

UseWanted use_wanted(const ReplicationConfig& config) {
  if (!config.on() && !config.restores()) return {};
  const bool dsbra = config.policy == ReplicationPolicy::dsbra;
  return {config.interval, config.threshold, dsbra && config.variant == DsbraVariant::accessed,
          config.policy == ReplicationPolicy::dare};
}

void handle(CatalogState& state, PeerId peer, const BlocksUsed& used, Outbox&, Time now) {
  const auto& config = state.config.replication;
  if (!config.on() && !config.restores()) return;  // it has not yet heard that nobody wants to know
  state.watchers.heard(peer, now);
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

void tell_watchers(CatalogState& state, Outbox& out) {
  std::vector<ReplicasChanged> pages(1);
  std::size_t bytes = 0;
  for (const auto block : state.watchers.take_changed()) {
    const auto length = state.names.sealed_length(block);
    if (length == 0) continue;
    BlockPlaces places{block, live_replicas(state, block, length)};
    bytes += size_of(places);
    if (bytes > kBytesOfChanges) {
      pages.emplace_back();
      bytes = size_of(places);
    }
    pages.back().blocks.push_back(std::move(places));
  }
  if (pages.front().blocks.empty()) return;
  for (const auto& [peer, heard] : state.watchers.all()) {
    for (const auto& page : pages) out.answer(peer, page);
  }
}

}  // namespace proffer
