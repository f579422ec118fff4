#include <algorithm>
#include <cmath>

#include "proffer/study/statistics.hpp"
#include "proffer/study/workload_fit.hpp"
#include "study/generate/streams.hpp"

namespace proffer::study {
namespace {

using Shape = Distribution::Shape;

constexpr std::size_t kQuantiles = 51;
constexpr double kNear = 0.03;
constexpr std::size_t kDrawn = 20'000;

Duration to_time(double us) { return Duration{std::llround(us)}; }

std::vector<double> sample(const Distribution& distribution) {
  auto random = stream(1, "fit", "distribution");
  std::vector<double> drawn;
  for (std::size_t i = 0; i < kDrawn; ++i)
    drawn.push_back(static_cast<double>(draw(distribution, random).count()));
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

/// The mean is kept at the expense of the largest value: a long tail would have far too many values near it.
Distribution quantiles_of(const std::vector<double>& sorted, double mean) {
  Distribution distribution{Shape::quantiles, {}, {}};
  for (std::size_t i = 0; i < kQuantiles; ++i) {
    const auto q = static_cast<double>(i) / (kQuantiles - 1);
    distribution.quantiles.push_back(to_time(quantile(sorted, q)));
  }
  auto& values = distribution.quantiles;
  double of_others = 0;  // the middles of all intervals but the last
  for (std::size_t i = 0; i + 2 < kQuantiles; ++i)
    of_others += static_cast<double>((values[i] + values[i + 1]).count()) / 2;
  const auto below = values[kQuantiles - 2];
  values.back() = std::max(below, to_time(2 * ((kQuantiles - 1) * mean - of_others)) - below);
  return distribution;
}

}  // namespace

Distribution fit_distribution(std::vector<Duration> times) {
  std::sort(times.begin(), times.end());
  if (times.empty() || times.front() == times.back()) {
    return {Shape::constant, times.empty() ? Duration{} : times.front(), {}};
  }
  std::vector<double> sorted;
  double sum = 0;
  double squares = 0;
  for (const auto time : times) {
    const auto us = static_cast<double>(time.count());
    sorted.push_back(us);
    sum += us;
    squares += us * us;
  }
  const auto count = static_cast<double>(sorted.size());
  const auto mean = sum / count;
  const auto deviation = std::sqrt(std::max(squares / count - mean * mean, 0.0));
  for (const auto& candidate : {Distribution{Shape::exponential, to_time(mean), {}},
                                Distribution{Shape::lognormal, to_time(mean), to_time(deviation)}}) {
    if (ks_distance(sorted, sample(candidate)) <= kNear) return candidate;
  }
  return quantiles_of(sorted, mean);
}

}  // namespace proffer::study
