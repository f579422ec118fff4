#include "catalog/names/name_handlers.hpp"

#include "catalog/demand/use_handlers.hpp"
#include "catalog/names/name_rules.hpp"
#include "catalog/state/deletions.hpp"
#include "catalog/state/disk_rules.hpp"
#include "catalog/state/replicas.hpp"
#include "catalog/tables/listing.hpp"

namespace proffer {
namespace {

std::optional<Error> refuse_unheld(const CatalogState& state, const std::vector<std::string>& paths) {
  for (const auto& path : paths) {
    for (const auto& block : state.names.find(path)->blocks) {
      if (!live_replicas(state, block.block, block.length).empty()) continue;
      return Error{ErrorCode::slow_down, "the catalog has just started, and no agent has reported block " +
                                             std::to_string(block.block.value) + " of " + path + " yet"};
    }
  }
  return {};
}

}  // namespace

void handle(CatalogState& state, PeerId peer, const ListFiles& request, Outbox& out, Time now) {
  const auto paths = may_list(state.names, request);
  if (!paths) return out.refuse(peer, request, paths.error());
  if (request.blocks && state.is_settling(now)) {
    if (auto error = refuse_unheld(state, *paths)) return out.refuse(peer, request, std::move(*error));
  }
  const bool watch = request.blocks && has_watchers(state.config);
  const auto use = watch ? use_wanted(state.config) : UseWanted{};
  Listing listing(request.request, request.blocks ? state.config.token : "", use);
  for (const auto& path : *paths) {
    const auto& file = *state.names.find(path);
    listing.begin_file({path, file.length, file.replication, file.complete, {}});
    if (!request.blocks) continue;
    for (auto block : file.blocks) {
      if (watch) state.watchers.listed(peer, block.block, now);
      block.replicas = live_replicas(state, block.block, block.length);
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
  if (auto room = may_grow(state); !room) return out.refuse(peer, request, room.error());
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
  if (auto room = may_shrink(state); !room) return out.refuse(peer, request, room.error());
  Deletions deletions(state);
  remove_files(state, *paths, deletions, out);
  out.done(peer, request.request);
  deletions.tell(out, now);
}

void remove_files(CatalogState& state, const std::vector<std::string>& paths, Deletions& deletions,
                  Outbox& out) {
  for (const auto& path : paths) {
    if (state.names.find(path)->complete) out.persist(ForgetFile{path});
    state.writers.ended(path);
    for (const auto block : state.names.remove(path)) {
      state.replicas.unplan(block);
      forget_block(state, block, out);
      deletions.judge_all(block);
    }
  }
  for (const auto& path : paths) out.trace(FileChanged{path, "removed"});
}

}  // namespace proffer
