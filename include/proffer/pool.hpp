// The settings of a pool of frameworks (in the allocator) or of jobs (in a framework).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "proffer/resources.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// The order in which the children of a pool are served.
enum class PoolOrder : std::uint8_t {
  fair,  ///< children below their min share first, by used / min share; then by used / weight
  fifo,  ///< ordered by priority, then by submit time
  /// Ordered by used / weight (the child's part of the capacity), then by priority and submit time.
  capacity,
  /// Ordered by the time at which each is due, the earliest first (EDF; Liu and Layland, J. ACM 1973), then
  /// as `fifo`. For jobs: a framework is due at no time.
  deadline,
};
inline constexpr std::array<std::string_view, 4> kPoolOrders{"fair", "fifo", "capacity", "deadline"};

/// The priority of a leaf, with the five names of Hadoop. Pools of all orders but `fair` look at it,
/// and so does the line of leaves that wait for a place under max_running. A pool among leaves counts as
/// normal.
enum class Priority : std::uint8_t { very_high, high, normal, low, very_low };
inline constexpr std::array<std::string_view, 5> kPriorities{"very-high", "high", "normal", "low",
                                                             "very-low"};

/// The meaning of "uses less" in a pool of order `fair`, once all children have their min shares.
enum class ShareBy : std::uint8_t {
  kind,  ///< each kind is compared and shared on its own
  /// The largest part of the capacity that a node uses of any kind (DRF, Ghodsi et al., NSDI 2011).
  /// Quantities above 2^43 count as 2^43. Entitlements stay per kind.
  dominant,
};
inline constexpr std::array<std::string_view, 2> kSharesBy{"kind", "dominant"};

/// The priority of that name, normal for an empty name; nothing for another word.
std::optional<Priority> priority_named(std::string_view name);

/// The value of PoolSpec::user_limit that limits nobody.
inline constexpr std::uint32_t kNoUserLimit = 100;

struct PoolSpec {
  std::string name;  ///< dotted path below the root, e.g. "research.ml"; parents are made as needed
  std::int64_t weight_milli = 1000;   ///< > 0; 1000 is weight 1
  Resources min_share = {};           ///< counts only in a pool of order `fair`
  PoolOrder order = PoolOrder::fair;  ///< the order among its children
  std::uint32_t max_running = 0;  ///< limit of leaves in the pool and below that may have demand; 0: no limit
  std::uint32_t max_running_per_user = 0;  ///< the same limit for the leaves of one user; 0: no limit
  /// T_min: the time a pool may be below its min share before tasks of others are ended for it; none: for
  /// ever.
  std::optional<Duration> min_share_timeout = {};
  /// The part of the pool that one user may take before others, in percent, from 1; 100: no limit. Counts in
  /// a pool of order `capacity` or `fifo`, like Hadoop's minimum-user-limit-percent (CapacityTaskScheduler
  /// 0.20, isUserOverLimit), for each kind of slots separately. Let C be the pool's entitlement, or one slot
  /// more than the pool uses when it uses that much, and `users` the number of users with demand there. A
  /// user is beyond the limit when the user's leaves in the pool itself (not in pools below) use at least
  /// max(C / users, user_limit percent of C) slots together, rounded up. Leaves of users beyond the limit
  /// come after all other leaves and after the pools in this one, each part in the usual order; so they still
  /// get what nobody else takes (the second pass of 0.20). Entitlements of the leaves follow the same rule.
  std::uint32_t user_limit = kNoUserLimit;
  bool operator==(const PoolSpec&) const = default;
};

/// The number of leaves of one user that may have demand, over all pools. Overrides the root's
/// max_running_per_user for this user.
struct UserLimit {
  std::string name;
  std::uint32_t max_running = 0;  ///< 0: no limit
  bool operator==(const UserLimit&) const = default;
};

/// A pool of the allocator, with the agents that its frameworks may be offered.
struct AllocatorPool {
  PoolSpec share;
  std::set<std::string> racks = {};   ///< empty together with `agents`: every agent
  std::set<std::string> agents = {};  ///< names of agents, in addition to `racks`
  /// The number of private agents. Above 0: the pool's frameworks are offered only agents of their own, this
  /// many, and nobody else is offered these meanwhile. Agents are assigned all together, once the frameworks
  /// want slots and so many agents are nobody's, without regard to anything else. They are returned when the
  /// frameworks have wanted nothing for `return_after` (Hadoop On Demand).
  std::uint32_t private_agents = 0;
  Duration return_after = std::chrono::minutes(1);
  bool operator==(const AllocatorPool&) const = default;
};

}  // namespace proffer
