// Statistics over the seeds of a cell.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace proffer::study {

/// A mean with its 95% confidence interval, mean ± half_width (Student's t).
struct Estimate {
  std::size_t count = 0;             ///< number of values; above 0
  double mean = 0;                   ///< mean in the unit of the values
  std::optional<double> half_width;  ///< none for a single value
  /// Half the width of the 95% prediction interval: where one further value would lie, as far as values are
  /// normal. A published figure is mostly one run, so this is the interval to hold it against.
  std::optional<double> of_one_more = {};
};

/// Returns the mean of the values; none without values.
std::optional<Estimate> estimate(std::span<const double> values);

/// Estimates a[i] - b[i], where both come from the same seed: what both have in common cancels out. The spans
/// must have one size; none when it is 0.
std::optional<Estimate> paired_difference(std::span<const double> a, std::span<const double> b);

/// Returns a quantile by linear interpolation between order statistics (Hyndman and Fan 1996, type 7). `q` in
/// [0, 1]; `sorted` ascending, not empty.
double quantile(std::span<const double> sorted, double q);

/// Returns the distance of Kolmogorov and Smirnov: the largest difference between the shares of values in
/// both samples that some number is not below. Both ascending; 0 when both are empty, 1 when one is.
double ks_distance(std::span<const double> a, std::span<const double> b);

}  // namespace proffer::study
