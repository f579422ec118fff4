#include <algorithm>
#include <cmath>
#include <numeric>

#include "proffer/check.hpp"
#include "proffer/limits.hpp"
#include "proffer/study/workload_fit.hpp"

namespace proffer::study {
namespace {

constexpr double kMostExponent = 5;
constexpr int kHalvings = 20;

/// The probability that two reads are of one file.
double repeat_rate(std::uint64_t files, double exponent) {
  double weights = 0;
  double squares = 0;
  for (std::uint64_t rank = 1; rank <= files; ++rank) {
    const auto weight = std::pow(rank, -exponent);
    weights += weight;
    squares += weight * weight;
  }
  return squares / (weights * weights);
}

double exponent_with(std::uint64_t files, double rate) {
  double low = 0;
  double high = kMostExponent;
  for (int i = 0; i < kHalvings; ++i) {
    const auto middle = (low + high) / 2;
    (repeat_rate(files, middle) < rate ? low : high) = middle;
  }
  return low;
}

/// The number of different files among so many reads, on the average.
double expected_files(std::uint64_t files, double exponent, double reads) {
  double weights = 0;
  for (std::uint64_t rank = 1; rank <= files; ++rank) weights += std::pow(rank, -exponent);
  double expected = 0;
  for (std::uint64_t rank = 1; rank <= files; ++rank) {
    expected += -std::expm1(reads * std::log1p(-std::min(std::pow(rank, -exponent) / weights, 1 - 1e-12)));
  }
  return expected;
}

}  // namespace

Popularity fit_popularity(std::span<const std::uint64_t> reads) {
  PROFFER_CHECK(!reads.empty(), "popularity of no file");
  const auto sum = static_cast<double>(std::accumulate(reads.begin(), reads.end(), std::uint64_t{0}));
  double pairs = 0;
  for (const auto count : reads) pairs += static_cast<double>(count) * static_cast<double>(count - 1);
  const auto rate = sum > 1 ? pairs / (sum * (sum - 1)) : 0;
  const auto exponent_of = [&](std::uint64_t files) { return exponent_with(files, rate); };
  const auto seen = static_cast<double>(reads.size());
  const auto suffices = [&](std::uint64_t files) {
    return expected_files(files, exponent_of(files), sum) >= seen - 0.5;
  };
  // Doubled until it suffices, then halved in between. More than eight times those that were seen says no
  // more than that hardly any file is read twice.
  std::uint64_t low = reads.size();
  auto high = low;
  while (!suffices(high) && high < 8 * reads.size()) high *= 2;
  while (high - low > std::max<std::uint64_t>(1, low / 50)) {
    const auto middle = low + (high - low) / 2;
    (suffices(middle) ? high : low) = middle;
  }
  const auto files = suffices(low) ? low : high;
  return {static_cast<std::uint32_t>(std::min<std::uint64_t>(files, limits::kFiles)), exponent_of(files)};
}

}  // namespace proffer::study
