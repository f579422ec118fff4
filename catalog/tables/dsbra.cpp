#include "catalog/tables/dsbra.hpp"

#include <algorithm>

namespace proffer::catalog::dsbra {
namespace {

// A bound far beyond any wait for locality, which keeps products within 64 bits.
constexpr Duration kLongest = std::chrono::hours(24);

}  // namespace

Millionths delay_of(const Reads& reads, Duration threshold) {
  const auto tasks = static_cast<std::int64_t>(std::max<std::uint64_t>(1, reads.tasks));
  const auto delayed = std::min(static_cast<std::int64_t>(reads.delayed), tasks);
  const auto often = kOne * delayed / tasks;
  if (threshold <= Duration::zero()) return often / 2;
  const auto most = std::min(threshold, kLongest);
  const auto of_each = std::min(reads.delay / tasks, most);
  return (often + kOne * to_us(of_each) / to_us(most)) / 2;
}

Millionths factor_of(Millionths delay, const History& history, std::int64_t alpha_milli, bool literal) {
  constexpr std::int64_t kMilli = 1000;
  const auto factor = (alpha_milli * delay + (kMilli - alpha_milli) * history.mean) / kMilli;
  return literal ? factor / 2 : factor;
}

History after(const History& history, Millionths factor) {
  const auto runs = static_cast<std::int64_t>(history.runs);
  return {(history.mean * runs + factor) / (runs + 1), history.runs + 1};
}

std::int64_t copies_wanted(Millionths factor, Millionths mean) {
  if (mean <= kStep || factor <= mean + kStep) return 0;
  return std::max<std::int64_t>(1, (factor - mean) / kStep);
}

bool is_cold(Millionths factor, Millionths mean) { return factor <= (mean <= kStep ? kCold : kStep); }

}  // namespace proffer::catalog::dsbra
