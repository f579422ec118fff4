// The fair-share tree: pools within pools, leaves that are frameworks (in the allocator) or jobs (in a
// framework). Each kind is shared on its own. SEMANTICS: who gets the next slot, and how much each is
// entitled to (Hadoop Fair Scheduler, UCB/EECS-2009-55 §4; weighted max-min).
//
// No clock and no floating point: shares are compared by cross-multiplied integers, ties broken by submit
// order, then name.
#pragma once

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

namespace proffer {

/// A leaf, dense from 0; reused after remove().
using LeafId = Id<struct LeafTag, std::uint32_t>;

struct PoolSpec {
  std::string name;  ///< dotted path below the root, e.g. "research.ml"; parents are made as needed
  std::int64_t weight_milli = 1000;  ///< > 0; 1000 is weight 1
  Resources min_share;
};

inline constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max() / 4;

class ShareTree {
 public:
  ShareTree();
  ~ShareTree();
  ShareTree(ShareTree&&) noexcept;
  ShareTree& operator=(ShareTree&&) noexcept;

  /// `exists` when the pool was declared before, `invalid` for a bad name or a weight below 1 or above 2^40.
  Result<> declare_pool(const PoolSpec& spec);
  bool has_pool(std::string_view name) const;

  /// A new leaf in a pool ("" = the root); `unknown_pool` when there is none. `submitted` orders ties and
  /// FIFO.
  Result<LeafId> add_leaf(std::string_view pool, std::string name, std::int64_t weight_milli,
                          std::uint64_t submitted);
  void remove_leaf(LeafId leaf);

  void set_demand(LeafId leaf, Kind kind, std::int64_t units);  ///< unlaunched + running; kUnbounded allowed
  void set_used(LeafId leaf, Kind kind, std::int64_t units);    ///< running + offered
  void set_capacity(Kind kind, std::int64_t units);
  std::int64_t demand(LeafId leaf, Kind kind) const;
  std::int64_t used(LeafId leaf, Kind kind) const;
  std::int64_t capacity(Kind kind) const;

  /// Visits leaves with demand above used, neediest first, until the visitor returns true. Returns that leaf.
  /// The visitor must not change the tree.
  std::optional<LeafId> neediest(Kind kind, const std::function<bool(LeafId)>& accepts) const;

  /// The entitlement of a leaf: weighted max-min by water-filling over demands, level by level (integers:
  /// what rounding down loses goes, a unit each, to those who lost most by it). Shares of all leaves sum to
  /// min(capacity, total demand).
  std::int64_t fair_share(LeafId leaf, Kind kind) const;

  struct PoolView {
    std::string name;
    std::int64_t weight_milli = 1000;
    std::int64_t min_share = 0, used = 0, demand = 0, fair = 0;
    std::uint32_t leaves = 0;  ///< in it and below
  };
  /// Every pool in depth-first order, the root (named "") first.
  std::vector<PoolView> pools(Kind kind) const;

  void check_invariants() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer
