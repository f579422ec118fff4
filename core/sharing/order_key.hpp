// Where a sibling stands in the order of need. Fair order makes the only keys so far; other orders of a pool
// (FIFO, capacity) are other ways to make one.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "core/sharing/int128.hpp"

namespace proffer::sharing {

/// A node of the tree: a pool or a leaf.
using NodeIndex = std::uint32_t;

/// Less goes first. Keys of siblings are never equal: the node itself is the last tie-break.
struct OrderKey {
  bool below_min = false;  // those go before all others
  Ratio need;
  std::uint64_t submitted = 0;
  const std::string* name = nullptr;  // of the node, which outlives its key
  NodeIndex node = 0;

  /// The rank alone; a key whose rank is unchanged keeps its place.
  bool same_rank(const OrderKey& other) const { return below_min == other.below_min && need == other.need; }
  std::strong_ordering operator<=>(const OrderKey& other) const {
    if (below_min != other.below_min) return other.below_min <=> below_min;
    if (const auto order = need <=> other.need; order != 0) return order;
    if (const auto order = submitted <=> other.submitted; order != 0) return order;
    if (const auto order = name->compare(*other.name) <=> 0; order != 0) return order;
    return node <=> other.node;
  }
  bool operator==(const OrderKey& other) const { return (*this <=> other) == 0; }
};

struct Standing {
  std::int64_t used = 0;
  std::int64_t demand = 0;
  std::int64_t min_share = 0;
  std::int64_t weight = 1;
};

/// Fair order (SEMANTICS §1): below its min share first, by used / min(min share, demand); then by
/// used / weight. Fills in the rank only.
inline OrderKey fair_rank(const Standing& standing) {
  OrderKey key;
  const auto owed = standing.min_share < standing.demand ? standing.min_share : standing.demand;
  key.below_min = standing.used < owed;
  key.need = {standing.used, key.below_min ? owed : standing.weight};
  return key;
}

}  // namespace proffer::sharing
