#include "core/sharing/water_filling.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "proffer/random.hpp"
#include "proffer/sharing/share_tree.hpp"
#include "tests/sharing/bisection.hpp"

namespace proffer::sharing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::int64_t sum(const std::vector<std::int64_t>& shares) {
  return std::accumulate(shares.begin(), shares.end(), std::int64_t{0});
}

TEST(WaterFilling, NobodyClaimsNothing) { EXPECT_THAT(water_filling(10, {}), IsEmpty()); }

TEST(WaterFilling, EqualClaimsShareEqually) {
  EXPECT_THAT(water_filling(9, {{1000, 0, 50}, {1000, 0, 50}, {1000, 0, 50}}), ElementsAre(3, 3, 3));
}

TEST(WaterFilling, SharesFollowWeights) {
  EXPECT_THAT(water_filling(12, {{1000, 0, 50}, {2000, 0, 50}, {3000, 0, 50}}), ElementsAre(2, 4, 6));
}

TEST(WaterFilling, WhatOneDoesNotWantGoesToTheOthers) {
  EXPECT_THAT(water_filling(12, {{1000, 0, 2}, {1000, 0, 50}, {1000, 0, 50}}), ElementsAre(2, 5, 5));
}

TEST(WaterFilling, NobodyGetsMoreThanHeWants) {
  EXPECT_THAT(water_filling(100, {{1000, 0, 2}, {1000, 7, 5}}), ElementsAre(2, 5));
}

TEST(WaterFilling, AGuaranteeHoldsAgainstWeights) {
  EXPECT_THAT(water_filling(10, {{1000, 7, 50}, {9000, 0, 50}}), ElementsAre(7, 3));
}

TEST(WaterFilling, AGuaranteeIsNoneBeyondTheDemand) {
  EXPECT_THAT(water_filling(10, {{1000, 7, 3}, {1000, 0, 50}}), ElementsAre(3, 7));
}

TEST(WaterFilling, GuaranteesBeyondTheCapacityAreScaledDown) {
  EXPECT_THAT(water_filling(10, {{1000, 30, 50}, {1000, 10, 50}, {1000, 0, 50}}), ElementsAre(8, 2, 0));
}

TEST(WaterFilling, WhatRoundingLosesGoesToWhoLostMostThenToTheFirst) {
  EXPECT_THAT(water_filling(10, {{1000, 0, 50}, {1000, 0, 50}, {1000, 0, 50}}), ElementsAre(4, 3, 3));
  EXPECT_THAT(water_filling(10, {{1000, 0, 50}, {2000, 0, 50}}), ElementsAre(3, 7));
}

TEST(WaterFilling, UnboundedDemandsShareByWeight) {
  EXPECT_THAT(water_filling(40, {{1000, 0, kUnbounded}, {3000, 0, kUnbounded}}), ElementsAre(10, 30));
}

TEST(WaterFilling, ExtremeClaimsDoNotOverflow) {
  const std::int64_t heavy = std::int64_t{1} << 40;
  const auto shares = water_filling(kUnbounded - 1, {{heavy, 0, kUnbounded}, {1, kUnbounded, kUnbounded}});
  EXPECT_EQ(sum(shares), kUnbounded - 1);
}

// ---- properties, on random claims ----

std::vector<Claim> random_claims(Random& random) {
  std::vector<Claim> claims(1 + random.below(12));
  const auto range = std::uint64_t{1} << random.below(16);
  for (auto& claim : claims) {
    claim.weight = static_cast<std::int64_t>(1 + random.below(5000));
    claim.demand = random.below(8) == 0 ? kUnbounded : static_cast<std::int64_t>(random.below(range));
    claim.min = random.below(2) == 0 ? 0 : static_cast<std::int64_t>(random.below(range));
  }
  return claims;
}

std::int64_t total_demand(const std::vector<Claim>& claims) {
  std::int64_t total = 0;
  for (const auto& claim : claims) total = std::min(kUnbounded, total + claim.demand);
  return total;
}

class RandomClaims : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomClaims, ::testing::Range<std::uint64_t>(0, 20));

TEST_P(RandomClaims, AgreeWithBisectionToTheUnit) {
  Random random(GetParam());
  for (int round = 0; round < 100; ++round) {
    const auto claims = random_claims(random);
    const auto capacity = static_cast<std::int64_t>(random.below(40000));
    const auto shares = water_filling(capacity, claims);
    const auto expected = bisected_shares(capacity, claims);
    for (std::size_t i = 0; i < claims.size(); ++i) {
      EXPECT_LT(std::abs(static_cast<long double>(shares[i]) - expected[i]), 1.001L)
          << "claim " << i << " of " << claims.size() << ", capacity " << capacity;
    }
  }
}

TEST_P(RandomClaims, SumToTheCapacityOrTheDemandWithNoneAboveItsOwn) {
  Random random(GetParam());
  for (int round = 0; round < 100; ++round) {
    const auto claims = random_claims(random);
    const auto capacity = static_cast<std::int64_t>(random.below(40000));
    const auto shares = water_filling(capacity, claims);
    EXPECT_EQ(sum(shares), std::min(capacity, total_demand(claims)));
    for (std::size_t i = 0; i < claims.size(); ++i) {
      EXPECT_GE(shares[i], 0);
      EXPECT_LE(shares[i], claims[i].demand);
    }
  }
}

TEST_P(RandomClaims, HonourGuaranteesWhichTheCapacityCovers) {
  Random random(GetParam());
  for (int round = 0; round < 100; ++round) {
    const auto claims = random_claims(random);
    std::int64_t guaranteed = 0;
    for (const auto& claim : claims) guaranteed += std::min(claim.min, claim.demand);
    const auto shares = water_filling(guaranteed + static_cast<std::int64_t>(random.below(1000)), claims);
    for (std::size_t i = 0; i < claims.size(); ++i) {
      EXPECT_GE(shares[i], std::min(claims[i].min, claims[i].demand));
    }
  }
}

TEST(WaterFilling, TellsWhoGainedAndWhoLostByRounding) {
  std::vector<Rounded> rounded;
  const auto shares = water_filling(10, {{1000, 0, 50}, {2000, 0, 50}, {1000, 0, 1}}, &rounded);
  EXPECT_THAT(shares, ElementsAre(3, 6, 1));
  EXPECT_THAT(rounded, ElementsAre(Rounded::not_at_all, Rounded::not_at_all, Rounded::not_at_all));
  water_filling(10, {{1000, 0, 50}, {2000, 0, 50}, {1000, 0, 2}}, &rounded);
  EXPECT_THAT(rounded, ElementsAre(Rounded::up, Rounded::down, Rounded::not_at_all));
}

}  // namespace
}  // namespace proffer::sharing
