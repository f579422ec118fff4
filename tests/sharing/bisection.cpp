#include "tests/sharing/bisection.hpp"

#include <algorithm>

namespace proffer::sharing {
namespace {

using Real = long double;

Real share_at(Real level, const Claim& claim) {
  const auto owed = static_cast<Real>(std::min(claim.min, claim.demand));
  return std::min(static_cast<Real>(claim.demand), std::max(level * static_cast<Real>(claim.weight), owed));
}

Real total_at(Real level, const std::vector<Claim>& claims) {
  Real total = 0;
  for (const auto& claim : claims) total += share_at(level, claim);
  return total;
}

}  // namespace

std::vector<Real> bisected_shares(std::int64_t capacity, const std::vector<Claim>& claims) {
  std::vector<Real> shares;
  Real guaranteed = 0;
  for (const auto& claim : claims) guaranteed += static_cast<Real>(std::min(claim.min, claim.demand));
  if (guaranteed > static_cast<Real>(capacity)) {
    for (const auto& claim : claims) {
      shares.push_back(static_cast<Real>(std::min(claim.min, claim.demand)) * static_cast<Real>(capacity) /
                       guaranteed);
    }
    return shares;
  }
  Real low = 0;
  Real high = 1;
  for (int i = 0; i < 200 && total_at(high, claims) < static_cast<Real>(capacity); ++i) high *= 2;
  for (int i = 0; i < 400; ++i) {
    const Real middle = (low + high) / 2;
    (total_at(middle, claims) < static_cast<Real>(capacity) ? low : high) = middle;
  }
  for (const auto& claim : claims) shares.push_back(share_at(high, claim));
  return shares;
}

}  // namespace proffer::sharing
