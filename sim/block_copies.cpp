#include "sim/block_copies.hpp"

#include <utility>
#include <vector>

namespace proffer::sim {
namespace {

const Error kNoSource{ErrorCode::unreachable, "no agent that holds it is there"};

}  // namespace

BlockCopies::BlockCopies(Nodes& nodes, const Links& links, Transfers& transfers, NotifyAgent notify)
    : nodes_(nodes), links_(links), transfers_(transfers), notify_(std::move(notify)) {}

void BlockCopies::fetch(AgentNo agent, const FetchBlock& fetch, Time now) {
  const auto source = nodes_.source_of(agent, fetch.block, fetch.sources);
  if (!source) return notify_(agent, BlockNotFetched{fetch.block, kNoSource});
  const ReplicaKey key{agent, fetch.block};
  const auto path = links_.copy(*source, agent);
  copies_[key] = {*source, fetch, {}};
  if (path.empty() || fetch.length == 0) return finish(key);
  const auto flow = transfers_.start(*this, path, fetch.length, now);
  copies_[key].flow = flow;
  by_flow_[flow] = key;
}

void BlockCopies::flow_ended(FlowNo flow, Time) {
  const auto node = by_flow_.extract(flow);
  finish(node.mapped());
}

void BlockCopies::finish(ReplicaKey key) {
  const auto node = copies_.extract(key);
  nodes_.store(key);
  notify_(key.first, BlockStored{key.second, node.mapped().fetch.length});
}

void BlockCopies::cancel(const Copy& copy, Time now) {
  if (!copy.flow) return;
  transfers_.cancel(*copy.flow, now);
  by_flow_.erase(*copy.flow);
}

void BlockCopies::lose(AgentNo agent, Time now) {
  for (auto at = copies_.begin(); at != copies_.end();) {
    if (at->first.first != agent) {
      ++at;
      continue;
    }
    cancel(at->second, now);
    at = copies_.erase(at);
  }
}

void BlockCopies::reroute(Time now) {
  std::vector<std::pair<ReplicaKey, FetchBlock>> again;
  for (auto at = copies_.begin(); at != copies_.end();) {
    const auto& [key, copy] = *at;
    if (nodes_.reaches(copy.source, key.first)) {
      ++at;
      continue;
    }
    cancel(copy, now);
    again.emplace_back(key, copy.fetch);
    at = copies_.erase(at);
  }
  // After the walk over all copies, to which fetch() adds.
  for (const auto& [key, copy] : again) fetch(key.first, copy, now);
}

}  // namespace proffer::sim
