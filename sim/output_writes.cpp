#include "sim/output_writes.hpp"

#include <algorithm>
#include <utility>

namespace proffer::sim {
namespace {

/// The time after which a request is repeated that was lost, or that the catalog had no answer to yet.
constexpr Duration kAskAgain = std::chrono::seconds(1);

bool is_passing(ErrorCode code) {
  return code == ErrorCode::slow_down || code == ErrorCode::unreachable || code == ErrorCode::unknown_session;
}

}  // namespace

OutputWrites::OutputWrites(study::CostModel::Reading reading, Nodes& nodes, const Links& links,
                           Transfers& transfers, Notify notify)
    : model_(reading), nodes_(nodes), links_(links), transfers_(transfers), notify_(std::move(notify)) {}

void OutputWrites::begin(Writer run, AgentNo agent, const OutputPath& output, std::uint64_t bytes, Time now) {
  writes_[run] = {
      .agent = agent, .output = output, .left = bytes, .asked = {}, .ask_at = {}, .block = {}, .ways = {}};
  ask(run, CreateFile{0, output.path, output.replication}, now);
}

void OutputWrites::cancel(Writer run, Time now) {
  const auto write = writes_.extract(run);
  if (write.empty()) return;
  for (const auto& [flow, target] : write.mapped().ways) {
    transfers_.cancel(flow, now);
    by_flow_.erase(flow);
  }
  std::erase_if(by_request_, [run](const auto& entry) { return entry.second == run; });
}

std::uint64_t OutputWrites::block_bytes(const Write& write) const {
  return std::min(write.left, write.output.block_bytes);
}

void OutputWrites::ask(Writer run, Message request, Time at) {
  auto& write = writes_.at(run);
  write.asked = std::move(request);
  write.ask_at = at;
  notify_.wake();
}

std::vector<Message> OutputWrites::take_requests(Time now) {
  std::vector<Message> requests;
  for (auto& [run, write] : writes_) {
    if (!write.ask_at || *write.ask_at > now) continue;
    if (nodes_.is_cut_off(write.agent)) {
      write.ask_at = now + kAskAgain;
      continue;
    }
    write.ask_at.reset();
    set_request(write.asked, ++requests_);
    by_request_[requests_] = run;
    requests.push_back(write.asked);
  }
  return requests;
}

std::optional<Time> OutputWrites::next_deadline() const {
  std::optional<Time> next;
  for (const auto& [run, write] : writes_) next = earlier(next, write.ask_at);
  return next;
}

void OutputWrites::catalog_lost(Time now) {
  for (const auto& [request, run] : std::exchange(by_request_, {})) writes_.at(run).ask_at = now + kAskAgain;
}

void OutputWrites::answered(const Message& answer, Time now) {
  const auto request = request_of(answer);
  const auto asked = request ? by_request_.extract(*request) : decltype(by_request_)::node_type();
  if (asked.empty()) return;
  const auto run = asked.mapped();
  if (const auto* block = std::get_if<BlockAllocated>(&answer)) return allocated(run, *block, now);
  const auto* done = std::get_if<CatalogDone>(&answer);
  if (done != nullptr && done->error) return refused(run, *done->error, now);
  go_on(run, now);
}

void OutputWrites::refused(Writer run, const Error& error, Time now) {
  auto& write = writes_.at(run);
  // The name is this attempt's alone: the file is its own, made by a request whose answer was lost.
  const bool is_ours = std::holds_alternative<CreateFile>(write.asked) && error.code == ErrorCode::exists;
  if (is_ours) return go_on(run, now);
  if (is_passing(error.code)) return ask(run, std::move(write.asked), now + kAskAgain);
  cancel(run, now);
  notify_.failed(run, now);
}

/// Takes the step that follows from one that succeeded.
void OutputWrites::go_on(Writer run, Time now) {
  auto& write = writes_.at(run);
  if (std::holds_alternative<CompleteFile>(write.asked)) {
    cancel(run, now);
    return notify_.done(run, now);
  }
  if (std::holds_alternative<SealBlock>(write.asked)) write.left -= block_bytes(write);
  if (write.left == 0) return ask(run, CompleteFile{0, write.output.path}, now);
  ask(run, AddBlock{0, write.output.path, writer_of(write)}, now);
}

void OutputWrites::allocated(Writer run, const BlockAllocated& answer, Time now) {
  auto& write = writes_.at(run);
  write.block = answer.block;
  write.stored = false;
  for (const auto& place : answer.targets) {
    const auto target = nodes_.find(place.agent);
    if (!target || !nodes_.reaches(write.agent, *target)) continue;
    const auto path = links_.copy(write.agent, *target);
    if (path.empty() || model_ == study::CostModel::Reading::penalty) {
      store(write, *target);
      continue;
    }
    const auto flow = transfers_.start(*this, path, block_bytes(write), now);
    write.ways[flow] = *target;
    by_flow_[flow] = run;
  }
  block_moved(run, now);
}

void OutputWrites::store(Write& write, AgentNo target) {
  write.stored = true;
  nodes_.store({target, *write.block});
  notify_.agent(target, BlockStored{*write.block, block_bytes(write)});
}

void OutputWrites::flow_ended(FlowNo flow, Time now) {
  const auto run = by_flow_.extract(flow).mapped();
  auto& write = writes_.at(run);
  store(write, write.ways.extract(flow).mapped());
  block_moved(run, now);
}

/// Seals the block once no replica of it is on its way. A block that nobody could take gets other places.
void OutputWrites::block_moved(Writer run, Time now) {
  const auto& write = writes_.at(run);
  if (!write.ways.empty()) return;
  const auto& path = write.output.path;
  if (!write.stored) return ask(run, AddBlock{0, path, writer_of(write)}, now + kAskAgain);
  ask(run, SealBlock{0, path, *write.block, block_bytes(write), 0}, now);
}

void OutputWrites::reroute(Time now) {
  std::set<Writer> moved;
  for (auto& [run, write] : writes_) {
    std::erase_if(write.ways, [&, run = run, from = write.agent](const auto& way) {
      if (nodes_.reaches(from, way.second)) return false;
      transfers_.cancel(way.first, now);
      by_flow_.erase(way.first);
      moved.insert(run);
      return true;
    });
  }
  for (const auto run : moved) block_moved(run, now);
}

}  // namespace proffer::sim
