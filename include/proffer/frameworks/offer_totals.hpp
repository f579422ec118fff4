// The number of offers that a framework got, by what became of them.
#pragma once

#include <array>
#include <cstdint>

#include "proffer/decline_reason.hpp"

namespace proffer {

/// The offers that a framework got, and what became of them.
struct OfferTotals {
  std::uint64_t received = 0;
  std::uint64_t accepted = 0;  ///< offers on which a task was launched
  std::array<std::uint64_t, kDeclineReasons> declined{};
  std::uint64_t tasks_launched = 0;  ///< offers per launched task = received / tasks_launched
};

}  // namespace proffer
