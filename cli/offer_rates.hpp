// Figures about how a framework uses its offers.
#pragma once

#include <optional>

#include "proffer/messages/admin.hpp"

namespace proffer::cli {

/// Offers it was sent for each task that it launched; none before the first.
inline std::optional<double> offers_per_task(const FrameworkState& framework) {
  if (framework.tasks_launched == 0) return {};
  return static_cast<double>(framework.offers_sent) / static_cast<double>(framework.tasks_launched);
}

/// Mean time in seconds until the framework answers an offer; none before the first answer.
inline std::optional<double> answered_after(const FrameworkState& framework) {
  auto answered = framework.offers_accepted;
  for (const auto n : framework.offers_declined) answered += n;
  if (answered == 0) return {};
  return static_cast<double>(to_us(framework.offers_held)) / 1e6 / static_cast<double>(answered);
}

}  // namespace proffer::cli
