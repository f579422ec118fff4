#include "catalog/state/deletions.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::catalog {
namespace {

// Far below the bound of a list, so that the message stays small.
constexpr std::size_t kBlocksPerMessage = 16384;
// A message may be lost: an agent that still reports the replicas after this time is sent them again.
constexpr Duration kSendAgainAfter = std::chrono::seconds(30);

void send_deletions(const Turn& turn, AgentRecord& agent, const std::vector<BlockId>& blocks) {
  for (std::size_t from = 0; from < blocks.size(); from += kBlocksPerMessage) {
    const auto first = blocks.begin() + static_cast<std::ptrdiff_t>(from);
    const auto count = std::min(kBlocksPerMessage, blocks.size() - from);
    turn.to_agent(agent, DeleteBlocks{{first, first + static_cast<std::ptrdiff_t>(count)}});
  }
  agent.delete_again = turn.now + kSendAgainAfter;
}

}  // namespace

void Deletions::judge(AgentId agent, BlockId block, std::uint64_t length) {
  auto& names = turn_.state.names;
  if (names.wants(block, length)) return;
  if (!names.gave_out(block)) return names.avoid(block);
  drop(agent, block);
}

void Deletions::drop(AgentId agent, BlockId block) {
  turn_.state.replicas.condemn(agent, block);
  condemned_[agent].push_back(block);
}

void Deletions::judge_all(BlockId block) {
  for (const auto& [agent, length] : turn_.state.replicas.holders_of(block)) judge(agent, block, length);
}

void Deletions::send() {
  for (const auto& [id, blocks] : condemned_) {
    auto* agent = turn_.state.agents.find(id);
    PROFFER_CHECK(agent, "a replica of an agent without a session");
    send_deletions(turn_, *agent, blocks);
  }
  condemned_.clear();
}

void resend_deletions(const Turn& turn, AgentRecord& agent) {
  agent.delete_again.reset();
  const auto& condemned = turn.state.replicas.condemned_at(agent.info.id);
  if (!condemned.empty()) send_deletions(turn, agent, {condemned.begin(), condemned.end()});
}

}  // namespace proffer::catalog
