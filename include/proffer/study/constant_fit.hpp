// Choosing the constants of an environment, so that published figures come out: the search of
// `proffer study fit`. What it finds is a choice, no measurement: a figure that it was made with confirms
// nothing, and only the others are predictions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proffer/result.hpp"
#include "proffer/study/environment.hpp"
#include "proffer/study/results_folder.hpp"

namespace proffer::study {

/// A constant as something that can be varied: its bounds and its value, above 0, in seconds, bytes a second
/// or without a unit, and how it is written.
struct FitAxis {
  enum class Unit : std::uint8_t { number, seconds, rate };
  std::string key;
  Unit unit = Unit::number;
  double from = 0;
  double to = 0;
  double value = 0;

  /// "4.25s", "22400KB/s", "1.3": three digits that count.
  std::string text(double of) const;
  /// "KEY=VALUE", as --set takes it.
  std::string setting(double of) const { return key + "=" + text(of); }
};

/// Returns the constants of an environment that are fitted. `invalid` for bounds that are none: not above 0,
/// in no order, or of another unit than the value.
Result<std::vector<FitAxis>> fit_axes(const Environment& environment);

/// Returns how far our figures are from the published ones: the root of the mean of ln(ours / paper)², over
/// those with both above 0; none without any.
std::optional<double> misfit(const std::vector<ComparedFigure>& figures);

/// Returns the misfit of the figures that come out with these settings ("KEY=VALUE").
using Misfit = std::function<Result<double>(const std::vector<std::string>& settings)>;

/// Finds the values with the least misfit, one axis after the other by golden sections on a logarithmic
/// scale, and again as often as there are axes. Returns the axes with their values; errors of `misfit_at`,
/// which is asked once at most for the same settings.
Result<std::vector<FitAxis>> least_misfit(std::vector<FitAxis> axes, const Misfit& misfit_at);

}  // namespace proffer::study
