#include "proffer/study/statistics.hpp"

#include <gtest/gtest.h>

#include <array>

namespace proffer::study {
namespace {

TEST(Estimate, OfOneToFiveIsThatOfTheTextbook) {
  const std::array values{1.0, 2.0, 3.0, 4.0, 5.0};
  const auto three = estimate(values);
  ASSERT_TRUE(three);
  EXPECT_EQ(three->count, 5u);
  EXPECT_DOUBLE_EQ(three->mean, 3);
  EXPECT_NEAR(three->half_width.value(), 2.7764451 * 0.70710678, 1e-6);  // t(0.975; 4) · sqrt(2.5 / 5)
}

TEST(Estimate, OfOneValueHasNoInterval) {
  const std::array values{7.0};
  EXPECT_DOUBLE_EQ(estimate(values)->mean, 7);
  EXPECT_FALSE(estimate(values)->half_width);
}

TEST(Estimate, OfNothingIsNothing) { EXPECT_FALSE(estimate({})); }

TEST(Estimate, OfEqualValuesHasAnIntervalOfNoWidth) {
  const std::array values{0.1, 0.1, 0.1};
  EXPECT_NEAR(estimate(values)->half_width.value(), 0, 1e-12);
}

TEST(PairedDifference, WhatPairsHaveInCommonCancelsOut) {
  const std::array a{11.0, 102.0, 1001.0};
  const std::array b{10.0, 100.0, 1000.0};
  const auto difference = paired_difference(a, b);
  ASSERT_TRUE(difference);
  EXPECT_NEAR(difference->mean, 4.0 / 3, 1e-12);
  EXPECT_NEAR(difference->half_width.value(), 4.3026527 / 3, 1e-6);  // t(0.975; 2) · sqrt(1/3 / 3)
}

TEST(Quantile, LiesBetweenTheOrderStatisticsAroundIt) {
  const std::array sorted{10.0, 20.0, 30.0, 40.0};
  EXPECT_DOUBLE_EQ(quantile(sorted, 0), 10);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.5), 25);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.95), 38.5);
  EXPECT_DOUBLE_EQ(quantile(sorted, 1), 40);
}

TEST(KsDistance, IsTheLargestDifferenceOfShares) {
  using Values = std::vector<double>;
  EXPECT_DOUBLE_EQ(ks_distance(Values{1, 2, 3, 4}, Values{1, 2, 3, 4}), 0);
  EXPECT_DOUBLE_EQ(ks_distance(Values{1, 2, 3, 4}, Values{3, 4, 5, 6}), 0.5);
  EXPECT_DOUBLE_EQ(ks_distance(Values{1, 1, 1, 2}, Values{1, 2}), 0.25) << "equal values come together";
  EXPECT_DOUBLE_EQ(ks_distance(Values{1}, Values{2}), 1);
  EXPECT_DOUBLE_EQ(ks_distance(Values{}, Values{2}), 1);
}

}  // namespace
}  // namespace proffer::study
