#include "study/report/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace proffer::study::reporting {
namespace {

std::string fixed(double value, int decimals) {
  std::array<char, 400> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
  return {text.data(), end.ptr};
}

/// After the point, so that `digits` significant ones of `value` are shown.
int decimals_for(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const int leading = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return std::clamp(digits - 1 - leading, 0, 6);
}

}  // namespace

double low(const Estimate& estimate) { return estimate.mean - estimate.half_width.value_or(0); }
double high(const Estimate& estimate) { return estimate.mean + estimate.half_width.value_or(0); }

std::string number_text(double value) {
  std::array<char, 64> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
  return {text.data(), end.ptr};
}

std::string short_text(double value) { return fixed(value, decimals_for(value, 4)); }

std::string estimate_text(const Estimate& estimate) {
  if (!estimate.half_width) return short_text(estimate.mean);
  if (*estimate.half_width == 0) return short_text(estimate.mean) + " ± 0";
  const int decimals = std::min(decimals_for(*estimate.half_width, 2), 4);
  return fixed(estimate.mean, decimals) + " ± " + fixed(*estimate.half_width, decimals);
}

}  // namespace proffer::study::reporting
