#include "proffer/study/mser.hpp"

#include <limits>
#include <vector>

namespace proffer::study {
namespace {

constexpr std::size_t kBatch = 5;
constexpr std::size_t kFewest = 10;  // means

}  // namespace

std::optional<std::size_t> start_up_of(std::span<const double> values) {
  std::vector<double> means;
  for (std::size_t i = 0; i + kBatch <= values.size(); i += kBatch) {
    double sum = 0;
    for (const double value : values.subspan(i, kBatch)) sum += value;
    means.push_back(sum / kBatch);
  }
  if (means.size() < kFewest) return {};
  // From the back: the mean and the squares of all that is left, by Welford's update.
  double mean = 0;
  double squares = 0;
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = means.size();
  for (std::size_t first = means.size(); first-- > 0;) {
    const auto left = static_cast<double>(means.size() - first);
    const auto off = means[first] - mean;
    mean += off / left;
    squares += off * (means[first] - mean);
    // With half of the means left out or more, a few that happen to be alike would win.
    if (first > means.size() / 2) continue;
    const auto error = squares / (left * left);
    if (error <= least) {
      least = error;
      best = first;
    }
  }
  if (best >= means.size() / 2) return {};
  return best * kBatch;
}

}  // namespace proffer::study
