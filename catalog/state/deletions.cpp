#include "catalog/state/deletions.hpp"

#include <algorithm>

namespace proffer {
namespace {

// Far below the bound of a list, so that the message stays small.
constexpr std::size_t kBlocksPerMessage = 16384;
// A message may be lost; an agent that still reports the replicas by then is told again.
constexpr Duration kTellAgain = std::chrono::seconds(30);

void tell_agent(AgentRecord& agent, const std::vector<BlockId>& blocks, Outbox& out, Time now) {
  for (std::size_t from = 0; from < blocks.size(); from += kBlocksPerMessage) {
    const auto first = blocks.begin() + static_cast<std::ptrdiff_t>(from);
    const auto count = std::min(kBlocksPerMessage, blocks.size() - from);
    out.to_agent(agent, DeleteBlocks{{first, first + static_cast<std::ptrdiff_t>(count)}});
  }
  agent.delete_again = now + kTellAgain;
}

}  // namespace

void Deletions::judge(AgentId agent, BlockId block, std::uint64_t length) {
  if (state_.names.wants(block, length)) return;
  if (!state_.names.gave_out(block)) return state_.names.avoid(block);
  drop(agent, block);
}

void Deletions::drop(AgentId agent, BlockId block) {
  state_.replicas.condemn(agent, block);
  fresh_[agent].push_back(block);
}

void Deletions::judge_all(BlockId block) {
  for (const auto& [agent, length] : state_.replicas.holders_of(block)) judge(agent, block, length);
}

void Deletions::tell(Outbox& out, Time now) {
  for (const auto& [id, blocks] : fresh_) {
    auto* agent = state_.agents.find(id);
    PROFFER_CHECK(agent, "a replica of an agent without a session");
    tell_agent(*agent, blocks, out, now);
  }
  fresh_.clear();
}

void tell_condemned(CatalogState& state, AgentRecord& agent, Outbox& out, Time now) {
  agent.delete_again.reset();
  const auto& condemned = state.replicas.condemned_at(agent.info.id);
  if (!condemned.empty()) tell_agent(agent, {condemned.begin(), condemned.end()}, out, now);
}

}  // namespace proffer
