// The fair-share tree: pools within pools, leaves that are frameworks (in the allocator) or jobs (in a
// framework). Each kind is shared on its own. The tree says who gets the next slot, and how much each leaf is
// entitled to (Hadoop Fair Scheduler, UCB/EECS-2009-55 §4; weighted max-min; SEMANTICS §1).
//
// No clock and no floating point: shares are compared by cross-multiplied integers, ties broken by submit
// order, then name.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/resources.hpp"
#include "proffer/result.hpp"
#include "proffer/sharing/pool.hpp"

namespace proffer {

/// The number of a leaf, dense from 0; reused after remove_leaf().
using LeafId = Id<struct LeafTag, std::uint32_t>;
/// The number of a pool, or of a leaf seen as a node of the tree; reused after the node was removed.
using ShareNode = Id<struct ShareNodeTag, std::uint32_t>;

inline constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max() / 4;

class ShareTree {
 public:
  explicit ShareTree(ShareBy by = ShareBy::kind);
  ~ShareTree();
  ShareTree(ShareTree&&) noexcept;
  ShareTree& operator=(ShareTree&&) noexcept;

  // ---- shape ----

  /// Adds a pool. `exists` when the pool was declared before, `invalid` for a bad name or a weight below 1 or
  /// above 2^40.
  Result<> declare_pool(const PoolSpec& spec);
  /// Changes the settings of an existing pool, at once; `unknown_pool` when it does not exist, `invalid` as
  /// above.
  Result<> set_pool(const PoolSpec& spec);
  /// Removes a pool. `unknown_pool`, or `invalid` while there is anything in it, and for the root.
  Result<> remove_pool(std::string_view name);
  bool has_pool(std::string_view name) const;
  /// Limits how many leaves of that user may have demand, over all pools; none: the root's
  /// max_running_per_user.
  void set_user_limit(const std::string& user, std::optional<std::uint32_t> most);

  /// Adds a leaf to a pool ("" = the root); `unknown_pool` when there is none, `invalid` for a bad weight.
  Result<LeafId> add_leaf(std::string_view pool, LeafSpec spec);
  void remove_leaf(LeafId leaf);
  /// Moves a leaf into another pool, with all it uses and wants; `unknown_pool`. The leaf keeps its id.
  Result<> move_leaf(LeafId leaf, std::string_view pool);

  // ---- limits ----

  /// Returns whether the leaf is beyond a limit of a pool or a user. Such leaves wait in order of priority,
  /// submit time and name; meanwhile, only as much of their demand counts as they already run.
  bool waits(LeafId leaf) const;
  /// Returns whether some pool limits what its users use (PoolSpec::user_limit): the order then depends on
  /// the capacity as well.
  bool any_user_limit() const;
  /// Returns the leaves that ceased to wait since the last call.
  std::vector<LeafId> pop_admitted();

  // ---- numbers ----

  void set_demand(LeafId leaf, Kind kind, std::int64_t units);  ///< unlaunched + running; kUnbounded allowed
  void set_used(LeafId leaf, Kind kind, std::int64_t units);    ///< running + offered
  /// Sets how many of the used units run. The leaf's demand counts as at least this, even if the leaf waits
  /// or its demand is set to less: what it runs is no surplus. 0 until it is set.
  void set_running(LeafId leaf, Kind kind, std::int64_t units);
  void set_capacity(Kind kind, std::int64_t units);
  /// The demand as it was set, even if the leaf waits, or runs more.
  std::int64_t demand(LeafId leaf, Kind kind) const;
  std::int64_t used(LeafId leaf, Kind kind) const;
  std::int64_t capacity(Kind kind) const;
  /// The part of all leaves' demand that counts.
  std::int64_t total_demand(Kind kind) const;
  /// Returns whether the leaf's demand counts and is above what the leaf uses.
  bool wants(LeafId leaf, Kind kind) const;

  // ---- the order, and the entitlements ----

  /// Visits leaves with demand above used, neediest first, until the visitor returns true. Returns that leaf.
  /// The visitor must not change the tree.
  std::optional<LeafId> neediest(Kind kind, const std::function<bool(LeafId)>& accepts) const;

  /// The entitlement of a leaf: weighted max-min by water-filling over demands, level by level (integers:
  /// what rounding down loses goes, a unit each, to those who lost most by it); in a pool of order `fifo` the
  /// demands in that order, as far as the pool's share reaches; where a pool of order `capacity` or `fifo`
  /// limits users, the same within the limits first, and what is left then over all. Shares of all leaves sum
  /// to min(capacity, total demand).
  std::int64_t fair_share(LeafId leaf, Kind kind) const;

  struct Numbers {
    std::int64_t used = 0;
    std::int64_t demand = 0;  ///< the demand that counts
    std::int64_t fair = 0;    ///< the entitlement
    /// The whole numbers around the exact share that `fair` was rounded from: nobody has to give up, or may
    /// demand, what rounding alone decides. Where users are limited, both equal `fair`.
    std::int64_t least_fair = 0, most_fair = 0;
    /// min(min share, demand), scaled down where siblings are promised too much.
    std::int64_t guaranteed = 0;
  };
  Numbers numbers(ShareNode node, Kind kind) const;
  std::optional<ShareNode> find_pool(std::string_view name) const;
  ShareNode node_of(LeafId leaf) const;
  /// The leaf, the pool it is in, the pool above that, ..., without the root.
  std::vector<ShareNode> path_of(LeafId leaf) const;
  /// Returns whether `inner` is `outer` or lies somewhere in it.
  bool is_within(ShareNode inner, ShareNode outer) const;

  struct PoolView {
    std::string name;
    ShareNode node;
    std::int64_t weight_milli = 1000;
    std::int64_t min_share = 0, used = 0, demand = 0, fair = 0;
    std::uint32_t leaves = 0;   ///< leaves in the pool and below
    std::uint32_t waiting = 0;  ///< leaves in the pool and below that wait for a place
    PoolOrder order = PoolOrder::fair;
  };
  /// Returns every pool in depth-first order, the root (named "") first.
  std::vector<PoolView> pools(Kind kind) const;

  /// Pools whose children are promised more of a kind than the pool gets when everybody wants more; these min
  /// shares are scaled down in proportion.
  struct Warning {
    std::string pool;  ///< dotted; "" is the root
    Kind kind;
    std::int64_t promised = 0;
    std::int64_t share = 0;
    bool operator==(const Warning&) const = default;
  };
  /// Warnings sorted by kind in order of appearance, pools depth-first.
  std::vector<Warning> warnings() const;

  void check_invariants() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The warning as a sentence for people. `whole`: the words for what has the root's share, as "the cluster
/// has".
std::string in_words(const ShareTree::Warning& warning, std::string_view whole);
/// "the pools are 'a', 'b.c'": the names of the pools, as many as fit into a sentence, or that there are
/// none.
std::string pools_in_words(const ShareTree& tree);

}  // namespace proffer
