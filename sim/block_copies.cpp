// Replicas that the catalog has made: bytes on their way between two disks, beside those that tasks read.
#include <algorithm>
#include <utility>

#include "sim/runs.hpp"

namespace proffer::sim {
namespace {

const Error kNoSource{ErrorCode::unreachable, "no agent that holds it is there"};

}  // namespace

void Runs::fetch(AgentNo agent, const FetchBlock& fetch, Time now) {
  const auto source = source_of(fetch.block, fetch.sources);
  if (!source) return tell_(agent, BlockNotFetched{fetch.block, kNoSource});
  const CopyKey key{agent, fetch.block};
  const auto path = copy_path(*source, agent);
  copies_[key] = {*source, fetch, {}};
  if (path.empty() || fetch.length == 0) return copy_ended(key);
  const auto flow = flows_.start(path, fetch.length, now);
  if (flow_uses_.size() <= flow) flow_uses_.resize(flow + 1);
  flow_uses_[flow] = {0, nullptr, *source, key};
  copies_[key].flow = flow;
}

void Runs::copy_ended(CopyKey key) {
  const auto node = copies_.extract(key);
  dropped_.erase(key);
  tell_(key.first, BlockStored{key.second, node.mapped().fetch.length});
}

/// Copies to it are forgotten with it; those from it begin anew elsewhere.
void Runs::lose_copies(AgentNo agent, Time now) {
  std::vector<std::pair<CopyKey, FetchBlock>> bereft;
  for (auto at = copies_.begin(); at != copies_.end();) {
    const auto& [key, copy] = *at;
    if (key.first != agent && copy.source != agent) {
      ++at;
      continue;
    }
    if (copy.flow) flows_.cancel(*copy.flow, now);
    if (key.first != agent) bereft.emplace_back(key, copy.fetch);
    at = copies_.erase(at);
  }
  for (const auto& [key, copy] : bereft) fetch(key.first, copy, now);
}

/// From disk to disk. What makes remote reading slow for tasks, many of which seek on one disk and speak a
/// protocol of small pieces, does not hold for a whole block that is moved in one go.
Path Runs::copy_path(AgentNo source, AgentNo target) const {
  const auto& from = nodes_[source];
  const auto& to = nodes_[target];
  Path path;
  const auto add = [&path](const std::optional<LinkNo>& link) {
    if (link) path.push_back(*link);
  };
  if (source == target) return path;
  add(from.disk);
  add(from.nic_out);
  if (from.rack != to.rack) {
    add(racks_[from.rack].out);
    add(racks_[to.rack].in);
  }
  add(to.nic_in);
  add(to.disk);
  return path;
}

/// Replicas come nearest first.
std::optional<AgentNo> Runs::source_of(BlockId block, const std::vector<Replica>& replicas) const {
  for (const auto& replica : replicas) {
    const auto at = numbers_.find(replica.agent);
    if (at == numbers_.end() || down_[at->second] || dropped_.contains({at->second, block})) continue;
    return at->second;
  }
  return {};
}

}  // namespace proffer::sim
