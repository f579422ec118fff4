#include "catalog/demand/replicator.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "catalog/state/replicas.hpp"
#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer::catalog {
namespace {

// Any more copies would wait at the target past their time limit.
constexpr std::size_t kCopiesToOneAgent = 32;

// A copy that failed on so many targets is given up until the block is hot in another round.
constexpr std::size_t kMostTargets = 3;

/// Returns the agents to copy from, those in the target's rack first. Another holder leads for another
/// target, so that they share the work.
std::vector<Replica> sources_for(const State& state, const HotBlock& block, AgentId target) {
  auto sources = live_replicas(state, block.block, block.length);
  if (sources.empty()) return sources;
  const auto turn = static_cast<std::ptrdiff_t>((block.block.value + target.value.lo) % sources.size());
  std::rotate(sources.begin(), sources.begin() + turn, sources.end());
  const auto& rack = state.agents.find(target)->info.rack;
  std::stable_partition(sources.begin(), sources.end(),
                        [&](const Replica& source) { return source.rack == rack; });
  return sources;
}

}  // namespace

Replicator::Replicator(const Turn& turn)
    : turn_(turn),
      state_(turn.state),
      deletions_(turn),
      seen_(look_at_blocks(turn.state, turn.now)),
      nodes_(turn.state) {}

bool Replicator::over_cap(std::uint64_t more) const {
  const auto part = static_cast<std::uint64_t>(state_.config.replication.extra_milli);
  return seen_.extra + more > seen_.base / 1000 * part;
}

bool Replicator::fits(const HotBlock& block, AgentId agent) const {
  const auto* record = state_.agents.find(agent);
  return record != nullptr && record->counts() && !state_.replicas.held_by(agent).contains(block.block) &&
         !state_.copies.has(block.block, agent) && state_.copies.load_of(agent) < kCopiesToOneAgent &&
         state_.replicas.load_of(agent) < limits::kReplicasPerAgent;
}

void Replicator::copy(HotBlock& block, AgentId to, Why why, std::set<AgentId> failed) {
  PROFFER_CHECK(why.text == kRestored || !over_cap(block.length), "a copy past the cap of extra storage");
  auto sources = sources_for(state_, block, to);
  if (sources.empty()) return;
  if (++block.there > block.replication) seen_.extra += block.length;
  nodes_.add(to, block.heat.factor);
  turn_.trace(
      CopyDecided{block.block, block.length, sources.front().agent, to, why.factor, why.mean, why.text});
  state_.copies.open(block.block, to,
                     {block.length, turn_.now + state_.config.replication.copy_timeout, std::move(failed)});
  turn_.to_agent(*state_.agents.find(to),
                 CopyBlock{block.block, block.length, std::move(sources), state_.config.token});
}

void Replicator::drop(HotBlock& block, AgentId agent, Why why) {
  PROFFER_CHECK(block.has_spare() && block.settled.contains(agent), "a replica goes that is needed");
  block.settled.erase(agent);
  --block.there;
  nodes_.remove(agent, block.heat.factor);
  seen_.extra -= block.length;
  turn_.trace(DropDecided{block.block, block.length, agent, why.factor, why.mean, why.text});
  deletions_.drop(agent, block.block);
  state_.watchers.note(block.block);
}

std::optional<AgentId> Replicator::place_to_drop(const HotBlock& block) const {
  if (!block.has_spare() || state_.copies.count(block.block) > 0) return {};
  return nodes_.most([&](AgentId agent) { return block.settled.contains(agent); });
}

void Replicator::keep_the_cap() {
  if (!over_cap(0)) return;
  std::vector<HotBlock*> coldest;
  for (auto& [id, block] : seen_.blocks) coldest.push_back(&block);
  std::stable_sort(coldest.begin(), coldest.end(), [](const HotBlock* a, const HotBlock* b) {
    return std::tuple(a->heat.factor, a->heat.popularity) < std::tuple(b->heat.factor, b->heat.popularity);
  });
  for (auto* block : coldest) {
    while (over_cap(0)) {
      const auto agent = place_to_drop(*block);
      if (!agent) break;
      drop(*block, *agent, {block->heat.factor, 0, "over the cap"});
    }
  }
}

void Replicator::try_elsewhere(BlockId id, const CopyTable::Copy& failed) {
  const auto block = seen_.blocks.find(id);
  if (block == seen_.blocks.end() || failed.failed.size() >= kMostTargets || over_cap(failed.length)) return;
  const auto to = nodes_.least(
      [&](AgentId agent) { return !failed.failed.contains(agent) && fits(block->second, agent); });
  if (to)
    copy(block->second, *to, {block->second.heat.factor, 0, "its copy failed elsewhere"}, failed.failed);
}

void Replicator::finish() {
  deletions_.send();
  turn_.trace(StorageCounted{seen_.base, seen_.extra});
}

}  // namespace proffer::catalog
