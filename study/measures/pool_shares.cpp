#include "study/measures/pool_shares.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "study/measures/share_samples.hpp"

namespace proffer::study {
namespace {

/// The most that one framework counts as wanting: sums of what is unbounded stay numbers.
constexpr std::int64_t kMostWanted = 1'000'000'000'000;

}  // namespace

PoolShares::PoolShares(const Plan& plan) : plan_(plan) {}

std::optional<std::size_t> PoolShares::number_of(const std::string& pool) {
  if (pool.empty()) return {};
  const auto [at, is_new] = numbers_.try_emplace(pool, pools_.size());
  if (!is_new) return at->second;
  pools_.push_back({pool, 0, 0, 0, {}, {}});
  for (const auto& known : plan_.allocator.pools) {
    if (known.share.name == pool) pools_.back().min_share = known.share.min_share[Kind("map")];
  }
  return at->second;
}

void PoolShares::demand(std::size_t pool, std::int64_t before, std::int64_t after, double now) {
  auto& of = pools_[pool];
  of.demand += std::min(after, kMostWanted) - std::min(before, kMostWanted);
  if (of.demand > 0 && !of.wanted) of.wanted = now;
}

void PoolShares::running(std::size_t pool, std::int64_t change, double now) {
  auto& of = pools_[pool];
  of.running += change;
  if (of.min_share == 0 || !of.wanted || of.served) return;
  if (of.running >= std::min(of.min_share, of.demand)) of.served = now;
}

void PoolShares::measure(std::map<std::string, double>& measures) const {
  if (pools_.size() > kMostNamed) return;
  for (const auto& pool : pools_) {
    if (pool.served) measures[fmt::format("time_to_min_share.{}", pool.name)] = *pool.served - *pool.wanted;
  }
}

}  // namespace proffer::study
