#include "live/store/send_budget.hpp"

#include <algorithm>

#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

// The bytes that an idle server may send at once. Small, so that the stated rate is the real one after a
// fraction of a second.
constexpr std::int64_t kBurstBytes = 64 << 10;
constexpr std::int64_t kMicros = 1'000'000;
constexpr std::int64_t kSmallestPiece = 4 << 10;
constexpr std::int64_t kLargestPiece = 32 << 10;

}  // namespace

SendBudget::SendBudget(std::optional<std::uint64_t> bytes_per_s, Time now) : filled_(now) {
  if (!bytes_per_s) return;
  PROFFER_CHECK(*bytes_per_s > 0, "a rate of 0 would never send anything");
  // Past a terabyte a second a rate is none, and the products below stay within 64 bits.
  if (*bytes_per_s > std::uint64_t{1} << 40) return;
  rate_ = static_cast<std::int64_t>(*bytes_per_s);
  credit_ = kBurstBytes * kMicros;
}

std::size_t SendBudget::piece() const {
  if (rate_ == 0) return limits::kChunkBytes;
  return static_cast<std::size_t>(std::clamp(rate_ / 20, kSmallestPiece, kLargestPiece));
}

void SendBudget::refill(Time now) {
  // Longer than it takes to fill the bucket makes no difference.
  const auto full_after = kBurstBytes * kMicros / rate_ + kMicros;
  const auto passed = std::clamp<std::int64_t>(to_us(now - filled_), 0, full_after);
  credit_ = std::min(credit_ + passed * rate_, kBurstBytes * kMicros);
  filled_ = now;
}

Duration SendBudget::wait(Time now) {
  if (rate_ == 0) return Duration::zero();
  refill(now);
  const auto missing = static_cast<std::int64_t>(piece()) * kMicros - credit_;
  return missing <= 0 ? Duration::zero() : Duration{(missing + rate_ - 1) / rate_};
}

void SendBudget::spend(std::size_t bytes, Time now) {
  if (rate_ == 0) return;
  refill(now);
  credit_ -= static_cast<std::int64_t>(bytes) * kMicros;
}

}  // namespace proffer::live
