// The entitlement of siblings once more, by the book and slowly: what water_filling() must agree with.
#pragma once

#include <cstdint>
#include <vector>

#include "core/sharing/water_filling.hpp"

namespace proffer::sharing {

/// Shares as real numbers: the level is found by halving an interval.
std::vector<long double> bisected_shares(std::int64_t capacity, const std::vector<Claim>& claims);

}  // namespace proffer::sharing
