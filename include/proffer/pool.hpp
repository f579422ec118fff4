// What is said of a pool of frameworks (in the allocator) or of jobs (in a framework).
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

/// Who comes first among the children of a pool.
enum class PoolOrder : std::uint8_t {
  fair,      ///< below its min share first, by used / min share; then by used / weight
  fifo,      ///< by priority, then by submit time
  capacity,  ///< by used / weight (its part of the capacity), then by priority and submit time
};
inline constexpr std::array<std::string_view, 3> kPoolOrders{"fair", "fifo", "capacity"};

/// Of a leaf, as Hadoop's five. Looked at by pools of order `fifo` and `capacity`, and where leaves wait for
/// a place under max_running. A pool among leaves counts as normal.
enum class Priority : std::uint8_t { very_high, high, normal, low, very_low };
inline constexpr std::array<std::string_view, 5> kPriorities{"very-high", "high", "normal", "low",
                                                             "very-low"};

/// What "uses less" means in a pool of order `fair`, once all have their min shares.
enum class ShareBy : std::uint8_t {
  kind,      ///< the kind in question: each is shared independently
  dominant,  ///< the largest part of the capacity that a node uses of any kind (DRF, Ghodsi et al., NSDI
             ///< 2011). Quantities above 2^43 count as that many. Entitlements stay per kind.
};
inline constexpr std::array<std::string_view, 2> kSharesBy{"kind", "dominant"};

/// Of that name, normal for none; nothing for another word.
std::optional<Priority> priority_named(std::string_view name);

/// Of PoolSpec::user_limit.
inline constexpr std::uint32_t kNoUserLimit = 100;

struct PoolSpec {
  std::string name;  ///< dotted path below the root, e.g. "research.ml"; parents are made as needed
  std::int64_t weight_milli = 1000;        ///< > 0; 1000 is weight 1
  Resources min_share = {};                ///< counts only in a pool of order `fair`
  PoolOrder order = PoolOrder::fair;       ///< among its children
  std::uint32_t max_running = 0;           ///< leaves in it and below that may have demand; 0: no limit
  std::uint32_t max_running_per_user = 0;  ///< of them of one user; 0: no limit
  /// T_min: so long it may be below its min share before tasks of others are ended for it; none: for ever.
  std::optional<Duration> min_share_timeout = {};
  /// In percent, from 1; 100: no limit. Counts in a pool of order `capacity` or `fifo`, as Hadoop's
  /// minimum-user-limit-percent (CapacityTaskScheduler 0.20, isUserOverLimit), for each kind of slots on its
  /// own. C is what the pool is entitled to, or one slot more than it uses when it uses that much; a user is
  /// beyond the limit when leaves of his that are in the pool itself use at least max(C / users, this much of
  /// C) slots together, rounded up. `users` are those with demand there. Leaves of users beyond it come after
  /// all other leaves and the pools in it, each part in the usual order; so they still get what nobody else
  /// takes (the second pass of 0.20). Entitlements of the leaves follow the same rule.
  std::uint32_t user_limit = kNoUserLimit;
  bool operator==(const PoolSpec&) const = default;
};

/// How many leaves of a user may have demand, over all pools: it counts instead of the root's
/// max_running_per_user.
struct UserLimit {
  std::string name;
  std::uint32_t max_running = 0;  ///< 0: no limit
  bool operator==(const UserLimit&) const = default;
};

/// A pool of the allocator, and which agents its frameworks may be offered.
struct AllocatorPool {
  PoolSpec share;
  std::set<std::string> racks = {};   ///< empty together with `agents`: every agent
  std::set<std::string> agents = {};  ///< by name, in addition to `racks`
  /// Above 0: its frameworks are offered agents of their own only, so many, which nobody else is offered
  /// meanwhile. They are assigned together, once they want slots and so many are nobody's, without regard to
  /// anything else, and returned when they have wanted nothing for `return_after` (Hadoop On Demand).
  std::uint32_t private_agents = 0;
  Duration return_after = std::chrono::minutes(1);
  bool operator==(const AllocatorPool&) const = default;
};

}  // namespace proffer
