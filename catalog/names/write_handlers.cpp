#include "catalog/names/write_handlers.hpp"

#include "catalog/names/name_handlers.hpp"
#include "catalog/names/name_rules.hpp"
#include "catalog/state/deletions.hpp"
#include "catalog/state/disk_rules.hpp"
#include "catalog/state/replicas.hpp"
#include "catalog/tables/placement.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

// From sealing on: what a writer has stored is reported at once, unless it could not be stored there.
constexpr Duration kReportedBy = std::chrono::seconds(30);

// From the loss of a connection: a writer that connects anew may have nothing to say until its block is full.
constexpr Duration kAbandonedAfter = std::chrono::hours(1);

std::vector<PlacementNode> nodes_that_count(const CatalogState& state) {
  std::vector<PlacementNode> nodes;
  for (const auto& [id, agent] : state.agents.all()) {
    if (agent.counts()) nodes.push_back({id, agent.info.rack, state.replicas.load_of(id)});
  }
  return nodes;
}

std::vector<Replica> plan_replicas(CatalogState& state, BlockId block, const std::vector<AgentId>& targets) {
  std::vector<Replica> replicas;
  for (const auto target : targets) {
    state.replicas.plan(target, block);
    replicas.push_back(state.agents.find(target)->replica());
  }
  return replicas;
}

/// A writer that has connected anew goes on through its new connection, as far as that may write more files.
void note_writer(CatalogState& state, const std::string& path, PeerId peer) {
  if (state.writers.files_of(peer) < limits::kUnfinishedFilesPerPeer) state.writers.wrote(path, peer);
}

/// Some of its blocks have fewer replicas than were asked for, counting those on their way.
bool any_short(const CatalogState& state, const std::string& path) {
  const auto file = state.names.info(path);
  return std::any_of(file.blocks.begin(), file.blocks.end(), [&](const BlockInfo& block) {
    return live_replicas(state, block.block, block.length).size() < file.replication;
  });
}

}  // namespace

void handle(CatalogState& state, PeerId peer, const CreateFile& request, Outbox& out, Time) {
  const auto path = may_create(state.names, request);
  if (!path) return out.refuse(peer, request, path.error());
  if (auto room = may_grow(state); !room) return out.refuse(peer, request, room.error());
  if (state.writers.files_of(peer) >= limits::kUnfinishedFilesPerPeer) {
    return out.refuse(peer, request,
                      {ErrorCode::slow_down, "this connection writes as many files at a time as it may: " +
                                                 std::to_string(limits::kUnfinishedFilesPerPeer)});
  }
  state.names.create(*path, request.replication);
  state.writers.wrote(*path, peer);
  out.trace(FileChanged{*path, "created"});
  out.done(peer, request.request);
}

// A writer that asks again while a block is pending could not store it anywhere (or never saw our answer):
// the block is given up, and what was stored of it is deleted.
void handle(CatalogState& state, PeerId peer, const AddBlock& request, Outbox& out, Time now) {
  const auto path = may_add_block(state.names, request);
  if (!path) return out.refuse(peer, request, path.error());
  if (auto room = may_grow(state); !room) return out.refuse(peer, request, room.error());
  const auto targets = choose_targets(nodes_that_count(state), request.writer,
                                      state.names.find(*path)->replication, state.random);
  if (state.is_settling(now) && targets.size() < state.names.find(*path)->replication) {
    return out.refuse(peer, request,
                      {ErrorCode::slow_down, "the catalog has just started, and awaits its agents"});
  }
  if (targets.empty()) {
    return out.refuse(peer, request, {ErrorCode::unreachable, "no agent is there to store " + *path});
  }
  note_writer(state, *path, peer);
  Deletions deletions(state);
  if (const auto abandoned = state.names.abandon_block(*path)) {
    state.replicas.unplan(*abandoned);
    deletions.judge_all(*abandoned);
  }
  if (const auto bound = state.names.reserve_ids()) out.persist(PersistNextBlock{*bound});
  const auto block = state.names.begin_block(*path);
  auto replicas = plan_replicas(state, block, targets);
  out.answer(peer, BlockAllocated{request.request, block, state.config.token, std::move(replicas)});
  deletions.tell(out, now);
}

void handle(CatalogState& state, PeerId peer, const SealBlock& request, Outbox& out, Time now) {
  const auto step = may_seal(state.names, request);
  if (!step) return out.refuse(peer, request, step.error());
  Deletions deletions(state);
  note_writer(state, step->path, peer);
  if (!step->done) {
    state.names.seal_block(step->path, request.length, request.first_record);
    state.replicas.expect_by(now + kReportedBy, request.block);
    deletions.judge_all(request.block);
  }
  out.done(peer, request.request);
  deletions.tell(out, now);
}

void handle(CatalogState& state, PeerId peer, const CompleteFile& request, Outbox& out, Time) {
  const auto step = may_complete(state.names, request);
  if (!step) return out.refuse(peer, request, step.error());
  if (auto room = may_grow(state); !room && !step->done) return out.refuse(peer, request, room.error());
  if (!step->done) {
    state.names.complete(step->path);
    state.writers.ended(step->path);
    out.persist(PersistFile{state.names.info(step->path)});
    out.trace(FileChanged{step->path, "completed"});
    if (any_short(state, step->path)) state.lacking.disturbed();
  }
  out.done(peer, request.request);
}

void lose_writer(CatalogState& state, PeerId peer, Time now) {
  state.writers.lost(peer, now + kAbandonedAfter);
}

void remove_abandoned(CatalogState& state, Outbox& out, Time now) {
  const auto paths = state.writers.due(now);
  if (paths.empty()) return;
  Deletions deletions(state);
  remove_files(state, paths, deletions, out);
  deletions.tell(out, now);
}

}  // namespace proffer
