#include "study/report/timeline.hpp"

#include <algorithm>

namespace proffer::study::reporting {

Timeline::Timeline(double end, std::size_t intervals)
    : width_(end / static_cast<double>(intervals)), integral_(intervals), covered_(intervals) {}

void Timeline::add(double from, double to, double value) {
  if (width_ <= 0) return;
  from = std::max(from, 0.0);
  to = std::min(to, width_ * static_cast<double>(size()));
  if (to <= from) return;
  for (auto i = std::min(size() - 1, static_cast<std::size_t>(from / width_)); i < size(); ++i) {
    const double start = width_ * static_cast<double>(i);
    const double length = std::min(to, start + width_) - std::max(from, start);
    if (start >= to) break;
    if (length <= 0) continue;
    integral_[i] += value * length;
    covered_[i] += length;
  }
}

std::optional<double> Timeline::covered_mean(std::size_t i) const {
  if (covered_[i] <= 0) return {};
  return integral_[i] / covered_[i];
}

TimeUnit time_unit_for(double seconds) {
  if (seconds > 3 * 3600) return {"h", 3600};
  if (seconds > 600) return {"min", 60};
  return {"s", 1};
}

}  // namespace proffer::study::reporting
