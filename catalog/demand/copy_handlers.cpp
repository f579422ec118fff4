#include "catalog/demand/copy_handlers.hpp"

#include <optional>
#include <string>
#include <utility>

#include "catalog/demand/replicator.hpp"

namespace proffer::catalog {
namespace {

void trace_end(const Turn& turn, BlockId block, AgentId agent, std::uint64_t bytes, const std::string& why) {
  turn.trace(CopyEnded{block, bytes, agent, why.empty(), why});
}

/// Tries copies elsewhere that have failed and are out of the table. Those in place of lost replicas are left
/// to the next scan.
void retry(const Turn& turn, CopyTable::Closed failed, const std::string& why) {
  auto& state = turn.state;
  std::optional<Replicator> replicator;  // made when it is needed, since it looks at all blocks
  for (auto& [key, copy] : failed) {
    const auto& [block, target] = key;
    trace_end(turn, block, target, copy.length, why);
    if (state.lacking.contains(block)) {
      state.lacking.copy_failed(block, target);
      continue;
    }
    copy.failed.insert(target);
    if (!state.config.replication.on()) continue;
    if (!replicator) replicator.emplace(turn);
    replicator->try_elsewhere(block, copy);
  }
  if (replicator) replicator->finish();
}

}  // namespace

void handle(const Turn& turn, AgentRecord& agent, const MessageReceived&, const CopyFailed& failed) {
  const auto id = agent.info.id;
  auto copy = turn.state.copies.close(failed.block, id);
  if (copy) retry(turn, {{{failed.block, id}, std::move(*copy)}}, failed.error.message);
}

bool copy_arrived(const Turn& turn, AgentId agent, BlockId block) {
  const auto copy = turn.state.copies.close(block, agent);
  if (!copy) return false;
  trace_end(turn, block, agent, copy->length, "");
  turn.state.watchers.note(block);
  return true;
}

void forget_copies_to(const Turn& turn, AgentId agent, const char* why) {
  for (const auto& [key, copy] : turn.state.copies.close_to(agent)) {
    trace_end(turn, key.first, agent, copy.length, why);
  }
}

void forget_block(const Turn& turn, BlockId block) {
  turn.state.heat.forget(block);
  for (const auto& [key, copy] : turn.state.copies.close_of(block)) {
    trace_end(turn, block, key.second, copy.length, "its file was removed");
  }
}

void give_up_late_copies(const Turn& turn) {
  retry(turn, turn.state.copies.close_overdue(turn.now), "it took too long");
}

}  // namespace proffer::catalog
