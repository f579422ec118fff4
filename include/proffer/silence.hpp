// The rule by which a framework that lets offers expire is offered nothing for a while.
#pragma once

#include <algorithm>
#include <cstdint>

#include "proffer/time.hpp"

namespace proffer {

inline constexpr Duration kFirstSilence = std::chrono::seconds(30);
inline constexpr Duration kLongestSilence = std::chrono::hours(1);

/// The silence of one framework for one slot kind, from its first expired offer until it answers one. Each
/// silence in a row is twice as long as the one before, from kFirstSilence to kLongestSilence.
struct Silence {
  Time until{};  ///< the time at which the framework may be offered slots of the kind again
  std::uint32_t in_a_row = 0;

  bool holds(Time now) const { return in_a_row > 0 && now < until; }

  /// Notes an expired offer. Returns whether a silence begins with it: offers that expire during a silence do
  /// not count.
  bool expired(Time now) {
    if (holds(now)) return false;
    auto lasts = kFirstSilence;
    for (std::uint32_t i = 0; i < in_a_row && lasts < kLongestSilence; ++i) lasts *= 2;
    ++in_a_row;
    until = now + std::min(lasts, kLongestSilence);
    return true;
  }
};

}  // namespace proffer
