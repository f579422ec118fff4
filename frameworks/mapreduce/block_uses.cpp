#include "frameworks/mapreduce/block_uses.hpp"

#include <algorithm>

#include "proffer/limits.hpp"

namespace proffer::mapreduce {
namespace {

// A use takes at most 40 bytes on the wire, a remote read less.
constexpr std::size_t kUsesPerPage = 8192;
// The shortest interval, however often a catalog wants to know.
constexpr Duration kShortestInterval = std::chrono::milliseconds(100);

}  // namespace

bool BlockUses::want(const UseWanted& wanted, Time now) {
  wanted_ = wanted;
  if (wanted.interval <= Duration::zero()) {
    stop();
    return false;
  }
  wanted_.interval = std::max(wanted.interval, kShortestInterval);
  if (next_) return false;
  next_ = now + wanted_.interval;
  return true;
}

void BlockUses::launched(JobId job, BlockId block, AgentId agent, bool here, Duration waited) {
  if (!on()) return;
  const auto counted = std::min(waited, wanted_.threshold);
  add(block, counted);
  if (wanted_.of_pending && counted > Duration::zero()) {
    auto& longest = waits_[job];
    longest = std::max(longest, counted);
  }
  if (wanted_.remote_reads && !here && remote_.size() < limits::kItems) remote_.emplace(block, agent);
}

Duration BlockUses::delay_of_pending(JobId job, Duration by_now) const {
  if (!wanted_.of_pending) return {};
  const auto longest = waits_.find(job);
  const auto now = std::min(by_now, wanted_.threshold);
  return longest == waits_.end() ? now : std::max(now, longest->second);
}

void BlockUses::pending(BlockId block, Duration waited) { add(block, waited); }

/// Uses of further blocks past the bound are not told of.
void BlockUses::add(BlockId block, Duration waited) {
  if (uses_.size() >= limits::kItems && !uses_.contains(block)) return;
  auto& use = uses_[block];
  use.block = block;
  ++use.tasks;
  if (waited <= Duration::zero()) return;
  ++use.delayed;
  use.delay += waited;
}

std::vector<BlocksUsed> BlockUses::take(Time now) {
  std::vector<BlocksUsed> pages(1);
  for (const auto& [block, use] : uses_) {
    if (pages.back().blocks.size() >= kUsesPerPage) pages.emplace_back();
    pages.back().blocks.push_back(use);
  }
  for (const auto& [block, agent] : remote_) {
    if (pages.back().remote.size() >= kUsesPerPage) pages.emplace_back();
    pages.back().remote.push_back({block, agent});
  }
  uses_.clear();
  remote_.clear();
  waits_.clear();
  next_ = now + wanted_.interval;
  return pages;
}

void BlockUses::stop() {
  next_.reset();
  uses_.clear();
  remote_.clear();
  waits_.clear();
}

}  // namespace proffer::mapreduce
