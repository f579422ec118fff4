#include "core/sharing/water_filling.hpp"

#include <algorithm>
#include <numeric>

#include "core/sharing/int128.hpp"
#include "proffer/check.hpp"

namespace proffer::sharing {
namespace {

/// A level (units / weight) at which a claim begins to rise above its guarantee, or stops at its demand.
struct Bend {
  Ratio level;
  bool rises;
};

struct Level {
  Int128 up = 0;
  Int128 down = 1;
};

std::int64_t guaranteed(const Claim& claim) { return std::min(claim.min, claim.demand); }

/// The level at which the claims together take `capacity`; the caller has seen that there is one.
Level find_level(std::int64_t capacity, const std::vector<Claim>& claims) {
  std::vector<Bend> bends;
  bends.reserve(2 * claims.size());
  Int128 flat = 0;  // taken by claims that do not rise: at their guarantee, or at their demand
  for (const auto& claim : claims) {
    flat += guaranteed(claim);
    if (guaranteed(claim) == claim.demand) continue;
    bends.push_back({{guaranteed(claim), claim.weight}, true});
    bends.push_back({{claim.demand, claim.weight}, false});
  }
  std::sort(bends.begin(), bends.end(), [](const Bend& a, const Bend& b) { return a.level < b.level; });
  Int128 rising = 0;  // the weight of the claims that rise with the level
  for (const auto& [level, rises] : bends) {
    // The claims take flat + rising · level at this level.
    if (rising > 0 && (capacity - flat) * level.den <= rising * level.num) break;
    flat += rises ? -level.num : level.num;
    rising += rises ? level.den : -level.den;
  }
  return {capacity - flat, std::max<Int128>(rising, 1)};
}

/// The part of one unit that was cut off an ideal share to make it whole.
struct Cut {
  Int128 up = 0;
  Int128 down = 1;
  std::size_t claim = 0;
};

std::int64_t cut_to_units(Int128 up, Int128 down, std::size_t claim, std::vector<Cut>& cuts) {
  if (up % down != 0) cuts.push_back({up % down, down, claim});
  return static_cast<std::int64_t>(up / down);
}

/// Gives the whole units that rounding has left over to those who lost most by it. All cuts have one
/// denominator.
void hand_out_rest(std::int64_t rest, std::vector<Cut>& cuts, std::vector<std::int64_t>& shares,
                   std::vector<Rounded>* rounded) {
  std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.up > b.up; });
  PROFFER_CHECK(rest >= 0 && static_cast<std::size_t>(rest) <= cuts.size(),
                "shares do not sum to the capacity");
  for (std::size_t i = 0; i < static_cast<std::size_t>(rest); ++i) ++shares[cuts[i].claim];
  if (rounded == nullptr) return;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    (*rounded)[cuts[i].claim] = i < static_cast<std::size_t>(rest) ? Rounded::up : Rounded::down;
  }
}

}  // namespace

std::vector<std::int64_t> water_filling(std::int64_t capacity, const std::vector<Claim>& claims,
                                        std::vector<Rounded>* rounded) {
  PROFFER_CHECK(capacity >= 0, "a capacity below zero");
  if (rounded != nullptr) rounded->assign(claims.size(), Rounded::not_at_all);
  std::vector<std::int64_t> shares(claims.size());
  Int128 wanted = 0;
  Int128 promised = 0;
  for (const auto& claim : claims) {
    PROFFER_CHECK(claim.weight > 0 && claim.min >= 0 && claim.demand >= 0, "a claim out of range");
    wanted += claim.demand;
    promised += guaranteed(claim);
  }
  std::vector<Cut> cuts;
  if (wanted <= capacity) {
    for (std::size_t i = 0; i < claims.size(); ++i) shares[i] = claims[i].demand;
    return shares;
  }
  if (promised >= capacity) {
    for (std::size_t i = 0; i < claims.size() && promised > 0; ++i) {
      shares[i] = cut_to_units(Int128(guaranteed(claims[i])) * capacity, promised, i, cuts);
    }
  } else {
    const auto level = find_level(capacity, claims);
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const auto& claim = claims[i];
      const Int128 up = level.up * claim.weight;
      if (up >= claim.demand * level.down) {
        shares[i] = claim.demand;
      } else if (up <= guaranteed(claim) * level.down) {
        shares[i] = guaranteed(claim);
      } else {
        shares[i] = cut_to_units(up, level.down, i, cuts);
      }
    }
  }
  hand_out_rest(capacity - std::accumulate(shares.begin(), shares.end(), std::int64_t{0}), cuts, shares,
                rounded);
  return shares;
}

}  // namespace proffer::sharing
