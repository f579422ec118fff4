// The place of a sibling in the order of need. The orders of a pool are ways to make such a key.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "core/sharing/int128.hpp"
#include "proffer/sharing/pool.hpp"
#include "proffer/time.hpp"

namespace proffer::sharing {

/// A node of the tree: a pool or a leaf.
using NodeIndex = std::uint32_t;

/// The fraction num / (den * per), den and per > 0. Comparison is exact with per = 1 while num and den are
/// below 2^62; else while num and per are at most 2^43, and den 2^40.
struct Need {
  std::int64_t num = 0;
  std::int64_t den = 1;
  std::int64_t per = 1;

  std::strong_ordering operator<=>(const Need& other) const {
    return static_cast<Int128>(num) * other.den * other.per <=> static_cast<Int128>(other.num) * den * per;
  }
  bool operator==(const Need& other) const { return (*this <=> other) == 0; }
};

/// The key of a sibling: lower keys go first. Keys of siblings are never equal: the node itself is the last
/// tie-break.
struct OrderKey {
  bool below_min = false;                // true: before all others that are not
  Priority priority = Priority::normal;  // the same for all in a pool of order `fair`
  NodeIndex node = 0;
  Need need;
  Time due = Time::max();  // the same for all but in a pool of order `deadline`
  std::uint64_t submitted = 0;
  const std::string* name = nullptr;  // name of the node, which outlives its key

  /// Compares the rank alone; a key whose rank is unchanged keeps its place.
  bool same_rank(const OrderKey& other) const { return below_min == other.below_min && need == other.need; }
  std::strong_ordering operator<=>(const OrderKey& other) const {
    if (below_min != other.below_min) return other.below_min <=> below_min;
    if (const auto order = need <=> other.need; order != 0) return order;
    if (const auto order = due <=> other.due; order != 0) return order;
    if (const auto order = priority <=> other.priority; order != 0) return order;
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
  Priority priority = Priority::normal;
  Time due = Time::max();
};

/// The rank in a pool of order `fair` (SEMANTICS §1): below its min share first, by used / min(min share,
/// demand); then by used / weight. Fills in the rank only, as do the functions for other orders.
inline OrderKey fair_rank(const Standing& standing) {
  OrderKey key;
  const auto owed = standing.min_share < standing.demand ? standing.min_share : standing.demand;
  key.below_min = standing.used < owed;
  key.need = {standing.used, key.below_min ? owed : standing.weight};
  return key;
}

inline OrderKey fifo_rank(const Standing& standing) {
  OrderKey key;
  key.priority = standing.priority;
  return key;
}

inline OrderKey capacity_rank(const Standing& standing) {
  OrderKey key;
  key.priority = standing.priority;
  key.need = {standing.used, standing.weight};
  return key;
}

inline OrderKey deadline_rank(const Standing& standing) {
  auto key = fifo_rank(standing);
  key.due = standing.due;
  return key;
}

inline OrderKey rank_in(PoolOrder order, const Standing& standing) {
  switch (order) {
    case PoolOrder::fifo:
      return fifo_rank(standing);
    case PoolOrder::capacity:
      return capacity_rank(standing);
    case PoolOrder::deadline:
      return deadline_rank(standing);
    case PoolOrder::fair:
      break;
  }
  return fair_rank(standing);
}

}  // namespace proffer::sharing
