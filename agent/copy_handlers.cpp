#include "agent/copy_handlers.hpp"

#include <utility>

namespace proffer::agent {
namespace {

void start_copies(const Turn& turn) {
  while (auto next = turn.state.copies.take_next()) {
    turn.act(FetchBlock{next->block, next->length, std::move(next->sources), std::move(next->token)});
  }
}

void tell_failure(const Turn& turn, BlockId block, Error error) {
  if (turn.state.catalog.in_session()) turn.to_catalog(CopyFailed{block, std::move(error)});
}

}  // namespace

void handle(const Turn& turn, CatalogTalk&, const MessageReceived&, const CopyBlock& copy) {
  auto& state = turn.state;
  if (state.copies.has(copy.block)) return;
  if (state.blocks.holds(copy.block)) {
    return tell_failure(turn, copy.block, {ErrorCode::exists, "the block is here already"});
  }
  if (state.copies.full()) {
    return tell_failure(turn, copy.block, {ErrorCode::slow_down, "too many blocks wait to be copied"});
  }
  state.copies.add(copy);
  start_copies(turn);
}

void handle(const Turn& turn, const BlockStored& stored) {
  turn.state.blocks.stored(stored.block, stored.length);
  if (turn.state.copies.ended(stored.block)) start_copies(turn);
}

void handle(const Turn& turn, const BlockVanished& vanished) { turn.state.blocks.vanished(vanished.block); }

void handle(const Turn& turn, const BlockNotFetched& failed) {
  if (!turn.state.copies.ended(failed.block)) return;
  tell_failure(turn, failed.block, failed.error);
  start_copies(turn);
}

}  // namespace proffer::agent
