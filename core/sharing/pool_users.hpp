// The use of one kind by the users of a pool, and the part of the pool that one of them may use while others
// want more (PoolSpec::user_limit). Hadoop's CapacityTaskScheduler, 0.20: isUserOverLimit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/sharing/water_filling.hpp"

namespace proffer::sharing {

/// Sums over the leaves that are in the pool itself, by user. The invariant: a user has an entry exactly
/// while one of the user's leaves uses or wants something.
class PoolUsers {
 public:
  /// Adds `change` to what the user's leaves use.
  void use(const std::string& user, std::int64_t change);
  /// Adds `change` to the number of the user's leaves that have demand.
  void want(const std::string& user, std::int64_t change);
  std::int64_t used(const std::string& user) const;
  /// The number of users with demand.
  std::int64_t wanting() const { return wanting_; }
  bool operator==(const PoolUsers&) const = default;

 private:
  struct Sums {
    std::int64_t used = 0;
    std::int64_t leaves = 0;  // leaves with demand
    bool operator==(const Sums&) const = default;
  };
  void tidy(std::map<std::string, Sums>::iterator at);

  std::map<std::string, Sums> by_user_;
  std::int64_t wanting_ = 0;
};

/// Returns the most that one user may have of `units`: an equal part for each of `users`, or `percent` of it
/// where that is more; rounded up.
std::int64_t most_of_a_user(std::int64_t units, std::int64_t users, std::uint32_t percent);

/// Returns entitlements that agree with the order: as water_filling(), but a user's claims together get at
/// most most_of_a_user(); units left over because nobody below the limit wants more go to all, again by
/// weight. `owners`: the user of each claim; null: nobody, as for a pool, which no limit holds. Costs O(n log
/// n) for each time that users are found to be beyond their limit, at most once a user.
std::vector<std::int64_t> fill_with_limits(std::int64_t units, std::vector<Claim> claims,
                                           const std::vector<const std::string*>& owners,
                                           std::uint32_t percent);

}  // namespace proffer::sharing
