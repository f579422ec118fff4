// Dominant resource fairness by linear programs: a reference that knows nothing of progressive filling.
#pragma once

#include <vector>

#include "core/sharing/dominant_filling.hpp"

namespace proffer::sharing {

/// Returns the part of its demand that each claim gets, in [0, 1], where the least dominant share by weight
/// is as large as can be, then the second least, and so on.
std::vector<double> dominant_parts_by_linear_programs(const Amounts& capacity,
                                                      const std::vector<BulkClaim>& claims);

}  // namespace proffer::sharing
