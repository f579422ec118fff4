#include "agent/copy_handlers.hpp"

#include <utility>

namespace proffer {
namespace {

void start_copies(AgentParts& state, Turn turn) {
  while (auto next = state.copies.take_next()) {
    turn.act(FetchBlock{next->block, next->length, std::move(next->sources), std::move(next->token)});
  }
}

void tell_failure(AgentParts& state, BlockId block, Error error, Turn turn) {
  if (state.catalog && state.catalog->open()) turn.to_catalog(state, CopyFailed{block, std::move(error)});
}

}  // namespace

void on_copy(AgentParts& state, const CopyBlock& copy, Turn turn) {
  if (state.copies.has(copy.block)) return;
  if (state.blocks.holds(copy.block)) {
    return tell_failure(state, copy.block, {ErrorCode::exists, "the block is here already"}, turn);
  }
  if (state.copies.full()) {
    return tell_failure(state, copy.block, {ErrorCode::slow_down, "too many blocks wait to be copied"}, turn);
  }
  state.copies.add(copy);
  start_copies(state, turn);
}

void handle(AgentParts& state, const BlockStored& stored, Turn turn) {
  state.blocks.stored(stored.block, stored.length);
  if (state.copies.ended(stored.block)) start_copies(state, turn);
}

void handle(AgentParts& state, const BlockVanished& vanished, Turn) { state.blocks.vanished(vanished.block); }

void handle(AgentParts& state, const BlockNotFetched& failed, Turn turn) {
  if (!state.copies.ended(failed.block)) return;
  tell_failure(state, failed.block, failed.error, turn);
  start_copies(state, turn);
}

}  // namespace proffer
