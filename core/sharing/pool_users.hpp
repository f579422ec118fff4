// What the users of a pool use of one kind, and how much of the pool one of them may use while others want
// more (PoolSpec::user_limit). Hadoop's CapacityTaskScheduler, 0.20: isUserOverLimit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/sharing/water_filling.hpp"

namespace proffer::sharing {

/// Sums over the leaves that are in the pool itself, by user. Its invariant: a user is in it exactly while a
/// leaf of his uses or wants something.
class PoolUsers {
 public:
  /// A leaf of his uses so much more, or less.
  void use(const std::string& user, std::int64_t change);
  /// So many more of his leaves, or fewer, have demand.
  void want(const std::string& user, std::int64_t change);
  std::int64_t used(const std::string& user) const;
  /// Users with demand.
  std::int64_t wanting() const { return wanting_; }
  bool operator==(const PoolUsers&) const = default;

 private:
  struct Sums {
    std::int64_t used = 0;
    std::int64_t leaves = 0;  // with demand
    bool operator==(const Sums&) const = default;
  };
  void tidy(std::map<std::string, Sums>::iterator at);

  std::map<std::string, Sums> by_user_;
  std::int64_t wanting_ = 0;
};

/// Of `units`, an equal part for each of `users`, or `percent` of it where that is more; rounded up.
std::int64_t most_of_a_user(std::int64_t units, std::int64_t users, std::uint32_t percent);

/// Entitlements that agree with the order: as water_filling(), but what a user's claims get together is at
/// most most_of_a_user(); what is left then because nobody below it wants more goes to all, again by weight.
/// `owners`: whose each claim is; null: nobody's, as a pool's, which no limit holds. Costs O(n log n) for
/// each time that users are found to be beyond their limit, at most once a user.
std::vector<std::int64_t> fill_with_limits(std::int64_t units, std::vector<Claim> claims,
                                           const std::vector<const std::string*>& owners,
                                           std::uint32_t percent);

}  // namespace proffer::sharing
