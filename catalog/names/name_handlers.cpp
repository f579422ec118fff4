#include "catalog/names/name_handlers.hpp"

#include <optional>
#include <utility>

#include "catalog/demand/copy_handlers.hpp"
#include "catalog/demand/watching.hpp"
#include "catalog/names/name_rules.hpp"
#include "catalog/state/disk_rules.hpp"
#include "catalog/state/replicas.hpp"
#include "catalog/tables/listing.hpp"

namespace proffer::catalog {
namespace {

/// Returns `slow_down` if a block of these files has no replica that is known of.
std::optional<Error> refuse_unheld(const State& state, const std::vector<std::string>& paths) {
  for (const auto& path : paths) {
    for (const auto& block : state.names.find(path)->blocks) {
      if (!live_replicas(state, block.block, block.length).empty()) continue;
      return Error{ErrorCode::slow_down, "the catalog has just started, and no agent has reported block " +
                                             std::to_string(block.block.value) + " of " + path + " yet"};
    }
  }
  return {};
}

/// Adds a file's blocks with their replicas to the listing. With `watch` the client is told from now on when
/// these change.
void list_blocks(const Turn& turn, PeerId client, const NameTable::File& file, bool watch, Listing& listing) {
  for (auto block : file.blocks) {
    if (watch) turn.state.watchers.listed(client, block.block, turn.now);
    block.replicas = live_replicas(turn.state, block.block, block.length);
    listing.add_block(std::move(block));
  }
}

}  // namespace

void handle(const Turn& turn, const MessageReceived& in, const ListFiles& request) {
  const auto& state = turn.state;
  const auto paths = may_list(state.names, request);
  if (!paths) return turn.refuse(in, request, paths.error());
  if (request.blocks && state.settling.lasts(turn.now)) {
    if (auto error = refuse_unheld(state, *paths)) return turn.refuse(in, request, *error);
  }
  const bool watch = request.blocks && has_watchers(state.config);
  const auto use = watch ? use_wanted(state.config) : UseWanted{};
  Listing listing(request.request, request.blocks ? state.config.token : "", use);
  for (const auto& path : *paths) {
    const auto& file = *state.names.find(path);
    listing.begin_file({path, file.length, file.replication, file.complete, {}});
    if (request.blocks) list_blocks(turn, in.peer, file, watch, listing);
  }
  for (auto& page : listing.take_pages()) turn.answer(in.peer, std::move(page));
}

// The world makes neighbouring Persists durable together, so that a rename of many files is one change on
// disk as well: nothing else may stand between them.
void handle(const Turn& turn, const MessageReceived& in, const RenameFiles& request) {
  auto& names = turn.state.names;
  const auto moves = may_rename(names, request);
  if (!moves) return turn.refuse(in, request, moves.error());
  if (auto room = may_grow(turn.state); !room) return turn.refuse(in, request, room.error());
  for (const auto& [from, to] : *moves) {
    names.rename(from, to);
    turn.persist(ForgetFile{from});
    turn.persist(PersistFile{names.info(to)});
  }
  for (const auto& [from, to] : *moves) turn.trace(FileChanged{to, "renamed"});
  turn.done(in, request);
}

void handle(const Turn& turn, const MessageReceived& in, const RemoveFiles& request) {
  const auto paths = may_remove(turn.state.names, request);
  if (!paths) return turn.refuse(in, request, paths.error());
  if (auto room = may_shrink(turn.state); !room) return turn.refuse(in, request, room.error());
  Deletions deletions(turn);
  remove_files(turn, *paths, deletions);
  turn.done(in, request);
  deletions.send();
}

void remove_files(const Turn& turn, const std::vector<std::string>& paths, Deletions& deletions) {
  auto& state = turn.state;
  for (const auto& path : paths) {
    if (state.names.find(path)->complete) turn.persist(ForgetFile{path});
    state.writers.ended(path);
    for (const auto block : state.names.remove(path)) {
      state.replicas.unplan(block);
      forget_block(turn, block);
      deletions.judge_all(block);
    }
  }
  for (const auto& path : paths) turn.trace(FileChanged{path, "removed"});
}

}  // namespace proffer::catalog
