// Files that nodes keep for tasks: the first task on a node reads them, as it reads blocks; later ones find
// them.
#include <algorithm>
#include <utility>

#include "sim/runs.hpp"

namespace proffer::sim {

/// False: it waits, and begins its work once more when a file has come; or it has failed.
bool Runs::has_cached(std::uint32_t number, Time now) {
  for (const auto& file : work(runs_[number]).cached) {
    if (file.blocks.empty()) continue;
    const CopyKey key{runs_[number].agent, file.blocks.front().block};
    if (kept_.contains(key)) continue;
    if (!cache_reads_.contains(key) && !read_cached(number, file, key, now)) return false;
    if (kept_.contains(key)) continue;
    cache_reads_.at(key).waiting.emplace_back(number, runs_[number].version);
    return false;
  }
  return true;
}

/// Begins to. It is the node's matter from then on, whatever becomes of the run. False: the run has failed
/// for want of a block.
bool Runs::read_cached(std::uint32_t number, const CachedFile& file, CopyKey key, Time now) {
  auto& run = runs_[number];
  const auto lacking = [this](const BlockRead& block) { return !nearest(block); };
  if (std::any_of(file.blocks.begin(), file.blocks.end(), lacking)) {
    fail(number, {run.launch, {kNoReplica, 0}, {}, {}}, now);
    return false;
  }
  auto& reading = cache_reads_[key];
  for (const auto& block : file.blocks) {
    const bool here = *nearest(block) == run.agent;
    (here ? run.local_bytes : run.remote_bytes) += block.length;
    cached_bytes_ += block.length;
    read_cached_block(key, reading, block, now);
  }
  run.far |= plan_.cost.reading == study::CostModel::Reading::penalty;
  if (reading.flows.empty()) cached_came(key, now);
  return true;
}

/// With the penalty model all its reading is in the run's computing.
void Runs::read_cached_block(CopyKey key, CacheRead& reading, const BlockRead& block, Time now) {
  if (plan_.cost.reading == study::CostModel::Reading::penalty) return;
  const auto source = *nearest(block);
  const auto path = source == key.first ? local_path(key.first) : remote_path(source, key.first);
  if (path.empty() || block.length == 0) return;
  const auto flow = flows_.start(path, block.length, now);
  if (flow_uses_.size() <= flow) flow_uses_.resize(flow + 1);
  flow_uses_[flow] = {0, nullptr, source, {}, key};
  reading.flows.emplace(flow, block);
}

void Runs::cached_block_came(CopyKey key, FlowNo flow, Time now) {
  auto& reading = cache_reads_.at(key);
  reading.flows.erase(flow);
  if (reading.flows.empty()) cached_came(key, now);
}

void Runs::cached_came(CopyKey key, Time now) {
  const auto reading = cache_reads_.extract(key);
  kept_.insert(key);
  for (const auto& [number, version] : reading.mapped().waiting) {
    if (runs_[number].live && runs_[number].version == version) begin_work(number, now);
  }
}

/// What a node was reading is forgotten with it; what was read from it is read elsewhere, all of the block.
void Runs::lose_cache_reads(AgentNo agent, Time now) {
  std::vector<CopyKey> keys;
  for (const auto& [key, reading] : cache_reads_) keys.push_back(key);
  for (const auto& key : keys) {
    auto& reading = cache_reads_.at(key);
    const bool goes = key.first == agent;
    bool lacking = false;
    const auto flows = reading.flows;
    for (const auto& [flow, block] : flows) {
      if (!goes && flow_uses_[flow].source != agent) continue;
      flows_.cancel(flow, now);
      reading.flows.erase(flow);
      if (goes) continue;
      if (nearest(block)) {
        read_cached_block(key, reading, block, now);
      } else {
        lacking = true;
      }
    }
    if (goes || lacking) give_up_reading(key, now);
  }
}

void Runs::give_up_reading(CopyKey key, Time now) {
  const auto reading = cache_reads_.extract(key);
  for (const auto& [flow, block] : reading.mapped().flows) flows_.cancel(flow, now);
  if (down_[key.first]) return;
  for (const auto& [number, version] : reading.mapped().waiting) {
    const auto& run = runs_[number];
    if (run.live && run.version == version) fail(number, {run.launch, {kNoReplica, 0}, {}, {}}, now);
  }
}

}  // namespace proffer::sim
