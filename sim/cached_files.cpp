#include "sim/cached_files.hpp"

#include <algorithm>
#include <utility>

namespace proffer::sim {

CachedFiles::CachedFiles(study::CostModel::Reading reading, const Nodes& nodes, const Links& links,
                         Transfers& transfers, Notify notify)
    : model_(reading), nodes_(nodes), links_(links), transfers_(transfers), notify_(std::move(notify)) {}

CachedFiles::Answer CachedFiles::ask(AgentNo agent, const CachedFile& file, Waiting run, Time now) {
  const Key key{agent, file.blocks.front().block};
  if (kept_.contains(key)) return {};
  auto answer = reading_.contains(key) ? Answer{Has::later} : begin(key, file, now);
  if (answer.has == Has::later) reading_.at(key).waiting.push_back(run);
  return answer;
}

CachedFiles::Answer CachedFiles::begin(Key key, const CachedFile& file, Time now) {
  const auto lacking = [&](const BlockRead& block) { return !nodes_.source_of(key.first, block); };
  if (std::any_of(file.blocks.begin(), file.blocks.end(), lacking)) return {Has::never};
  Answer answer{Has::later, true};
  auto& reading = reading_[key];
  for (const auto& block : file.blocks) {
    const bool here = *nodes_.source_of(key.first, block) == key.first;
    (here ? answer.local : answer.remote) += block.length;
    bytes_ += block.length;
    read_block(key, reading, block, now);
  }
  if (!reading.parts.empty()) return answer;
  finish(key, now);
  answer.has = Has::yes;
  return answer;
}

/// Begins to read a block that some node has. With the penalty model all reading is in the run's computing.
void CachedFiles::read_block(Key key, Reading& reading, const BlockRead& block, Time now) {
  if (model_ == study::CostModel::Reading::penalty) return;
  const auto source = *nodes_.source_of(key.first, block);
  const auto path = source == key.first ? links_.local(key.first) : links_.remote(source, key.first);
  if (path.empty() || block.length == 0) return;
  const auto flow = transfers_.start(*this, path, block.length, now);
  by_flow_[flow] = key;
  reading.parts.emplace(flow, Part{block, source});
}

void CachedFiles::flow_ended(FlowNo flow, Time now) {
  const auto node = by_flow_.extract(flow);
  auto& reading = reading_.at(node.mapped());
  reading.parts.erase(flow);
  if (reading.parts.empty()) finish(node.mapped(), now);
}

void CachedFiles::finish(Key key, Time now) {
  // Kept before anybody is told: a run that goes on asks for the file again.
  const auto reading = reading_.extract(key);
  kept_.insert(key);
  for (const auto& waiting : reading.mapped().waiting) notify_.came(waiting, now);
}

std::vector<CachedFiles::Key> CachedFiles::being_read() const {
  std::vector<Key> keys;
  for (const auto& [key, reading] : reading_) keys.push_back(key);
  return keys;
}

void CachedFiles::lose(AgentNo agent, Time now) {
  for (const auto& key : being_read()) {
    if (key.first == agent) give_up(key, now);
  }
}

void CachedFiles::reroute(Time now) {
  for (const auto& key : being_read()) {
    if (!replace_parts(key, reading_.at(key), now)) give_up(key, now);
  }
}

/// Cancels what is read from nodes that do not reach the reader any more, and reads it elsewhere. False: that
/// cannot be done.
bool CachedFiles::replace_parts(Key key, Reading& reading, Time now) {
  bool lacking = false;
  const auto parts = reading.parts;
  for (const auto& [flow, part] : parts) {
    if (nodes_.reaches(part.source, key.first)) continue;
    cancel(flow, now);
    reading.parts.erase(flow);
    if (nodes_.source_of(key.first, part.block)) {
      read_block(key, reading, part.block, now);
    } else {
      lacking = true;
    }
  }
  return !lacking;
}

void CachedFiles::give_up(Key key, Time now) {
  const auto reading = reading_.extract(key);
  for (const auto& [flow, part] : reading.mapped().parts) cancel(flow, now);
  if (nodes_.is_down(key.first)) return;
  for (const auto& waiting : reading.mapped().waiting) notify_.failed(waiting, now);
}

void CachedFiles::cancel(FlowNo flow, Time now) {
  transfers_.cancel(flow, now);
  by_flow_.erase(flow);
}

}  // namespace proffer::sim
