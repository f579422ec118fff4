// The entitlement of siblings: weighted max-min with guarantees (SEMANTICS §1, "fair share").
#pragma once

#include <cstdint>
#include <vector>

namespace proffer::sharing {

/// The claim of one sibling. weight in [1, 2^40]; min and demand >= 0, at most kUnbounded.
struct Claim {
  std::int64_t weight = 1;
  std::int64_t min = 0;
  std::int64_t demand = 0;
};

/// The effect on a share of making it whole.
enum class Rounded : std::uint8_t { not_at_all, up, down };

/// Returns the share of each claim: the level r at which sum(min(demand, max(r * weight, min(min, demand))))
/// = capacity; found by sweeping the sorted bends of that sum, in O(n log n), in integers. Shares sum to
/// min(capacity, total demand). Units lost by rounding down go, whole, to those who lost most by it; ties in
/// the order of `claims`. Guarantees that together exceed the capacity are all scaled down in proportion.
/// `rounded`, if given, is filled for each claim.
std::vector<std::int64_t> water_filling(std::int64_t capacity, const std::vector<Claim>& claims,
                                        std::vector<Rounded>* rounded = nullptr);

}  // namespace proffer::sharing
