#include "core/sharing/pool_users.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/sharing/int128.hpp"
#include "proffer/check.hpp"

namespace proffer::sharing {
namespace {

using Indices = std::vector<std::size_t>;

std::vector<std::int64_t> fill_some(std::int64_t units, const std::vector<Claim>& claims,
                                    const Indices& some) {
  std::vector<Claim> chosen;
  chosen.reserve(some.size());
  for (const auto i : some) chosen.push_back(claims[i]);
  return water_filling(units, chosen);
}

/// Returns the claims of each user among `open` who gets more than `most` in all, if they are given `shares`.
std::vector<Indices> beyond(std::int64_t most, const Indices& open, const std::vector<std::int64_t>& shares,
                            const std::vector<const std::string*>& owners) {
  struct Mine {
    std::int64_t units = 0;
    Indices claims;
  };
  std::map<std::string, Mine> by_user;
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (owners[open[i]] == nullptr) continue;
    auto& mine = by_user[*owners[open[i]]];
    mine.units += shares[i];
    mine.claims.push_back(open[i]);
  }
  std::vector<Indices> found;
  for (auto& [user, mine] : by_user) {
    if (mine.units > most) found.push_back(std::move(mine.claims));
  }
  return found;
}

/// Returns the shares within the limit. A user held by the limit leaves more for others, so such users are
/// found in several rounds.
std::vector<std::int64_t> fill_within(std::int64_t units, std::int64_t most, const std::vector<Claim>& claims,
                                      const std::vector<const std::string*>& owners) {
  std::vector<std::int64_t> within(claims.size());
  Indices open(claims.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  while (true) {
    const auto shares = fill_some(units, claims, open);
    for (std::size_t i = 0; i < open.size(); ++i) within[open[i]] = shares[i];
    const auto held = beyond(most, open, shares, owners);
    if (held.empty()) return within;
    std::set<std::size_t> settled;
    for (const auto& mine : held) {
      const auto parts = fill_some(most, claims, mine);
      for (std::size_t i = 0; i < mine.size(); ++i) within[mine[i]] = parts[i];
      settled.insert(mine.begin(), mine.end());
      units -= most;
    }
    std::erase_if(open, [&](std::size_t claim) { return settled.contains(claim); });
  }
}

}  // namespace

void PoolUsers::tidy(std::map<std::string, Sums>::iterator at) {
  PROFFER_CHECK(at->second.used >= 0 && at->second.leaves >= 0, "a user's sums fell below zero");
  if (at->second == Sums{}) by_user_.erase(at);
}

void PoolUsers::use(const std::string& user, std::int64_t change) {
  if (change == 0) return;
  const auto at = by_user_.try_emplace(user).first;
  at->second.used += change;
  tidy(at);
}

void PoolUsers::want(const std::string& user, std::int64_t change) {
  if (change == 0) return;
  const auto at = by_user_.try_emplace(user).first;
  const bool wanted = at->second.leaves > 0;
  at->second.leaves += change;
  wanting_ += static_cast<std::int64_t>(at->second.leaves > 0) - static_cast<std::int64_t>(wanted);
  tidy(at);
}

std::int64_t PoolUsers::used(const std::string& user) const {
  const auto at = by_user_.find(user);
  return at == by_user_.end() ? 0 : at->second.used;
}

std::int64_t most_of_a_user(std::int64_t units, std::int64_t users, std::uint32_t percent) {
  const auto rounded_up = [](Int128 up, Int128 down) {
    return static_cast<std::int64_t>((up + down - 1) / down);
  };
  return std::max(rounded_up(units, std::max<std::int64_t>(users, 1)),
                  rounded_up(Int128{units} * percent, 100));
}

std::vector<std::int64_t> fill_with_limits(std::int64_t units, std::vector<Claim> claims,
                                           const std::vector<const std::string*>& owners,
                                           std::uint32_t percent) {
  std::set<std::string> users;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (owners[i] != nullptr && claims[i].demand > 0) users.insert(*owners[i]);
  }
  const auto most = most_of_a_user(units, static_cast<std::int64_t>(users.size()), percent);
  const auto within = fill_within(units, most, claims, owners);
  for (std::size_t i = 0; i < claims.size(); ++i) claims[i].min = within[i];
  return water_filling(units, claims);
}

}  // namespace proffer::sharing
