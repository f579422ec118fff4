#include "proffer/study/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <vector>

#include "proffer/check.hpp"

namespace proffer::study {
namespace {

/// Returns half the width of the two-sided interval of 95% for the mean of `count` values.
double half_width(double variance, std::size_t count) {
  const boost::math::students_t student(static_cast<double>(count - 1));
  return boost::math::quantile(student, 0.975) * std::sqrt(variance / static_cast<double>(count));
}

}  // namespace

std::optional<Estimate> estimate(std::span<const double> values) {
  if (values.empty()) return {};
  Estimate result;
  result.count = values.size();
  result.mean = boost::math::statistics::mean(values.begin(), values.end());
  if (values.size() < 2) return result;
  const auto variance = boost::math::statistics::sample_variance(values.begin(), values.end());
  result.half_width = half_width(variance, values.size());
  result.of_one_more = *result.half_width * std::sqrt(static_cast<double>(values.size() + 1));
  return result;
}

std::optional<Estimate> paired_difference(std::span<const double> a, std::span<const double> b) {
  PROFFER_CHECK(a.size() == b.size(), "pairs need as many values on both sides");
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  return estimate(differences);
}

double quantile(std::span<const double> sorted, double q) {
  PROFFER_CHECK(!sorted.empty() && q >= 0 && q <= 1, "a quantile is of some values, and between 0 and 1");
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 == sorted.size()) return sorted[below];
  return std::lerp(sorted[below], sorted[below + 1], at - static_cast<double>(below));
}

double ks_distance(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty() ? 0 : 1;
  double distance = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const auto value = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= value) ++i;
    while (j < b.size() && b[j] <= value) ++j;
    const auto share_a = static_cast<double>(i) / static_cast<double>(a.size());
    const auto share_b = static_cast<double>(j) / static_cast<double>(b.size());
    distance = std::max(distance, std::abs(share_a - share_b));
  }
  return distance;
}

}  // namespace proffer::study
