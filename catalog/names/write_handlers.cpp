#include "catalog/names/write_handlers.hpp"

#include "catalog/names/name_handlers.hpp"
#include "catalog/names/name_rules.hpp"
#include "catalog/state/deletions.hpp"
#include "catalog/state/disk_rules.hpp"
#include "catalog/state/replicas.hpp"
#include "catalog/tables/placement.hpp"
#include "proffer/limits.hpp"

namespace proffer::catalog {
namespace {

// After sealing: what a writer has stored is reported at once, unless it could not be stored there.
constexpr Duration kReportedBy = std::chrono::seconds(30);

// After the loss of a connection: a writer that connects anew may have nothing to say until its block is
// full.
constexpr Duration kAbandonedAfter = std::chrono::hours(1);

std::vector<PlacementNode> nodes_that_count(const State& state) {
  std::vector<PlacementNode> nodes;
  for (const auto& [id, agent] : state.agents.all()) {
    if (agent.counts()) nodes.push_back({id, agent.info.rack, state.replicas.load_of(id)});
  }
  return nodes;
}

std::vector<Replica> plan_replicas(State& state, BlockId block, const std::vector<AgentId>& targets) {
  std::vector<Replica> replicas;
  for (const auto target : targets) {
    state.replicas.plan(target, block);
    replicas.push_back(state.agents.find(target)->replica());
  }
  return replicas;
}

/// Notes the connection through which a file is written: a writer that has connected anew goes on through the
/// new one, as far as that may write more files.
void note_writer(State& state, const std::string& path, PeerId peer) {
  if (state.writers.files_of(peer) < limits::kUnfinishedFilesPerPeer) state.writers.wrote(path, peer);
}

/// Returns whether some blocks of the file have fewer replicas than were asked for, counting those on their
/// way.
bool any_short(const State& state, const std::string& path) {
  const auto file = state.names.info(path);
  return std::any_of(file.blocks.begin(), file.blocks.end(), [&](const BlockInfo& block) {
    return live_replicas(state, block.block, block.length).size() < file.replication;
  });
}

}  // namespace

void handle(const Turn& turn, const MessageReceived& in, const CreateFile& request) {
  auto& state = turn.state;
  const auto path = may_create(state.names, request);
  if (!path) return turn.refuse(in, request, path.error());
  if (auto room = may_grow(state); !room) return turn.refuse(in, request, room.error());
  if (state.writers.files_of(in.peer) >= limits::kUnfinishedFilesPerPeer) {
    return turn.refuse(in, request,
                       {ErrorCode::slow_down, "this connection writes as many files at a time as it may: " +
                                                  std::to_string(limits::kUnfinishedFilesPerPeer)});
  }
  state.names.create(*path, request.replication);
  state.writers.wrote(*path, in.peer);
  turn.trace(FileChanged{*path, "created"});
  turn.done(in, request);
}

// A writer that asks again while a block is pending could not store it anywhere (or never saw our answer):
// the block is given up, and what was stored of it is deleted.
void handle(const Turn& turn, const MessageReceived& in, const AddBlock& request) {
  auto& state = turn.state;
  const auto path = may_add_block(state.names, request);
  if (!path) return turn.refuse(in, request, path.error());
  if (auto room = may_grow(state); !room) return turn.refuse(in, request, room.error());
  const auto targets = choose_targets(nodes_that_count(state), request.writer,
                                      state.names.find(*path)->replication, state.random);
  if (state.settling.lasts(turn.now) && targets.size() < state.names.find(*path)->replication) {
    return turn.refuse(in, request,
                       {ErrorCode::slow_down, "the catalog has just started, and awaits its agents"});
  }
  if (targets.empty()) {
    return turn.refuse(in, request, {ErrorCode::unreachable, "no agent is there to store " + *path});
  }
  note_writer(state, *path, in.peer);
  Deletions deletions(turn);
  if (const auto abandoned = state.names.abandon_block(*path)) {
    state.replicas.unplan(*abandoned);
    deletions.judge_all(*abandoned);
  }
  if (const auto bound = state.names.reserve_ids()) turn.persist(PersistNextBlock{*bound});
  const auto block = state.names.begin_block(*path);
  auto replicas = plan_replicas(state, block, targets);
  turn.answer(in.peer, BlockAllocated{request.request, block, state.config.token, std::move(replicas)});
  deletions.send();
}

void handle(const Turn& turn, const MessageReceived& in, const SealBlock& request) {
  auto& state = turn.state;
  const auto step = may_seal(state.names, request);
  if (!step) return turn.refuse(in, request, step.error());
  Deletions deletions(turn);
  note_writer(state, step->path, in.peer);
  if (!step->done) {
    state.names.seal_block(step->path, request.length, request.first_record);
    state.replicas.expect_by(turn.now + kReportedBy, request.block);
    deletions.judge_all(request.block);
  }
  turn.done(in, request);
  deletions.send();
}

void handle(const Turn& turn, const MessageReceived& in, const CompleteFile& request) {
  auto& state = turn.state;
  const auto step = may_complete(state.names, request);
  if (!step) return turn.refuse(in, request, step.error());
  if (auto room = may_grow(state); !room && !step->done) return turn.refuse(in, request, room.error());
  if (!step->done) {
    state.names.complete(step->path);
    state.writers.ended(step->path);
    turn.persist(PersistFile{state.names.info(step->path)});
    turn.trace(FileChanged{step->path, "completed"});
    if (any_short(state, step->path)) state.lacking.request_scan();
  }
  turn.done(in, request);
}

void lose_writer(const Turn& turn, PeerId peer) { turn.state.writers.lost(peer, turn.now + kAbandonedAfter); }

void remove_abandoned(const Turn& turn) {
  const auto paths = turn.state.writers.due(turn.now);
  if (paths.empty()) return;
  Deletions deletions(turn);
  remove_files(turn, paths, deletions);
  deletions.send();
}

}  // namespace proffer::catalog
