// Statistics over the seeds of a cell.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace proffer::study {

/// A mean with its 95% confidence interval, mean ± half_width (Student's t).
struct Estimate {
  std::size_t count = 0;             ///< how many values; above 0
  double mean = 0;                   ///< in the unit of the values
  std::optional<double> half_width;  ///< none for a single value
};

/// None without values.
std::optional<Estimate> estimate(std::span<const double> values);

/// Of a[i] - b[i], where both are of the same seed: what both have in common cancels out. The spans are of
/// one size; none when it is 0.
std::optional<Estimate> paired_difference(std::span<const double> a, std::span<const double> b);

/// By linear interpolation between order statistics (Hyndman and Fan 1996, type 7). `q` in [0, 1]; `sorted`
/// ascending, not empty.
double quantile(std::span<const double> sorted, double q);

}  // namespace proffer::study
