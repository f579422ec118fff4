// Dominant resource fairness: progressive filling over several kinds at once (Ghodsi et al., NSDI 2011, §4.1,
// with weights and bounded demands). Everybody gets a part of what he wants, in the proportions in which he
// wants it. All dominant shares rise together, by weight; who has all he wants stops, and so does whoever
// needs a kind that is used up.
#pragma once

#include <cstdint>
#include <vector>

namespace proffer::sharing {

/// Quantities by kind, all in one order of kinds.
using Amounts = std::vector<std::int64_t>;

struct BulkClaim {
  std::int64_t weight = 1000;
  Amounts demand;
};

/// Splits `available` among the claims. A dominant share is the largest part of `capacity` over kinds.
/// Returns the shares of each claim, cut off to whole units; exact to that. Quantities are at most 2^43, a
/// demand for a kind of which there is no capacity is never met.
std::vector<Amounts> dominant_filling(const Amounts& capacity, const Amounts& available,
                                      const std::vector<BulkClaim>& claims);

}  // namespace proffer::sharing
