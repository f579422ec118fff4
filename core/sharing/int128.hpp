// Products of two 64-bit quantities, so that ratios can be compared without rounding.
#pragma once

#include <compare>
#include <cstdint>

namespace proffer::sharing {

using Int128 = __int128;

/// The fraction num / den with den > 0. Comparison is exact: neither product leaves 128 bits while |num| <
/// 2^63 and den < 2^63.
struct Ratio {
  std::int64_t num = 0;
  std::int64_t den = 1;

  std::strong_ordering operator<=>(const Ratio& other) const {
    return static_cast<Int128>(num) * other.den <=> static_cast<Int128>(other.num) * den;
  }
  bool operator==(const Ratio& other) const { return (*this <=> other) == 0; }
};

}  // namespace proffer::sharing
