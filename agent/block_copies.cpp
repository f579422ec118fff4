#include "agent/block_copies.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::agent {
namespace {

// Few, since tasks read over the same link.
constexpr std::size_t kFetchedAtOnce = 2;
constexpr std::size_t kMostWaiting = 256;

}  // namespace

bool BlockCopies::has(BlockId block) const {
  return fetched_.contains(block) ||
         std::any_of(waiting_.begin(), waiting_.end(), [&](const auto& copy) { return copy.block == block; });
}

bool BlockCopies::full() const { return waiting_.size() >= kMostWaiting; }

void BlockCopies::add(CopyBlock copy) {
  PROFFER_CHECK(!has(copy.block) && !full(), "a copy that was not to be added");
  waiting_.push_back(std::move(copy));
}

std::optional<CopyBlock> BlockCopies::take_next() {
  if (waiting_.empty() || fetched_.size() >= kFetchedAtOnce) return {};
  auto next = std::move(waiting_.front());
  waiting_.pop_front();
  fetched_.insert(next.block);
  return next;
}

void BlockCopies::drop_waiting(BlockId block) {
  std::erase_if(waiting_, [block](const CopyBlock& copy) { return copy.block == block; });
}

void BlockCopies::check_invariants() const {
  std::set<BlockId> all = fetched_;
  for (const auto& copy : waiting_)
    PROFFER_CHECK(all.insert(copy.block).second, "a block is to be copied twice");
  PROFFER_CHECK(fetched_.size() <= kFetchedAtOnce, "too many blocks are fetched at once");
}

}  // namespace proffer::agent
