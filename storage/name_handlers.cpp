#include "storage/name_handlers.hpp"

#include "storage/deletions.hpp"
#include "storage/listing.hpp"
#include "storage/name_rules.hpp"

namespace proffer {
namespace {

/// Agents whose replicas count, by id; a replica of another length is none. One that its writer has just
/// stored, and its agent has not reported yet, is among them: or a new file could not be read for a moment.
std::vector<Replica> live_replicas(const CatalogState& state, const BlockInfo& block) {
  auto agents = state.replicas.planned_for(block.block);
  for (const auto& [id, length] : state.replicas.holders_of(block.block)) {
    if (length == block.length) agents.insert(id);
  }
  std::vector<Replica> replicas;
  for (const auto id : agents) {
    const auto* agent = state.agents.find(id);
    if (agent && agent->counts()) replicas.push_back(agent->replica());
  }
  return replicas;
}

}  // namespace

void handle(CatalogState& state, PeerId peer, const ListFiles& request, Outbox& out, Time) {
  const auto paths = may_list(state.names, request);
  if (!paths) return out.refuse(peer, request, paths.error());
  Listing listing(request.request, request.blocks ? state.config.token : "");
  for (const auto& path : *paths) {
    const auto& file = *state.names.find(path);
    listing.begin_file({path, file.length, file.replication, file.complete, {}});
    if (!request.blocks) continue;
    for (auto block : file.blocks) {
      block.replicas = live_replicas(state, block);
      listing.add_block(std::move(block));
    }
  }
  for (auto& page : listing.take_pages()) out.answer(peer, std::move(page));
}

// The world makes neighbouring Persists durable together, so that a rename of many files is one change on
// disk as well.
void handle(CatalogState& state, PeerId peer, const RenameFiles& request, Outbox& out, Time) {
  const auto moves = may_rename(state.names, request);
  if (!moves) return out.refuse(peer, request, moves.error());
  for (const auto& [from, to] : *moves) {
    state.names.rename(from, to);
    out.persist(ForgetFile{from});
    out.persist(PersistFile{state.names.info(to)});
  }
  for (const auto& [from, to] : *moves) out.trace(FileChanged{to, "renamed"});
  out.done(peer, request.request);
}

void handle(CatalogState& state, PeerId peer, const RemoveFiles& request, Outbox& out, Time now) {
  const auto paths = may_remove(state.names, request);
  if (!paths) return out.refuse(peer, request, paths.error());
  Deletions deletions(state);
  for (const auto& path : *paths) {
    if (state.names.find(path)->complete) out.persist(ForgetFile{path});
    for (const auto block : state.names.remove(path)) {
      state.replicas.unplan(block);
      deletions.judge_all(block);
    }
  }
  for (const auto& path : *paths) out.trace(FileChanged{path, "removed"});
  out.done(peer, request.request);
  deletions.tell(out, now);
}

}  // namespace proffer
