// The analysis of delay scheduling, against the figures of the paper.
#include "proffer/frameworks/delay_formula.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace proffer {
namespace {

using namespace std::chrono_literals;

long percent(double part) { return std::lround(part * 100); }

TEST(DelayFormula, ExpectedLocalityIsThatOfTheTable) {
  const double skips[] = {0, 10, 20, 40, 100};
  const long one_task[] = {0, 26, 45, 70, 95};
  const long ten_tasks[] = {0, 74, 88, 96, 99};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(percent(expected_locality({100, 3, 1}, skips[i])), one_task[i]);
    EXPECT_EQ(percent(expected_locality({100, 3, 10}, skips[i])), ten_tasks[i]);
  }
}

TEST(DelayFormula, SkipsFor95PercentOfTwentyTasksAre23PercentOfTheNodes) {
  EXPECT_NEAR(skips_for_locality({100, 3, 20}, 0.95), 23.1, 0.05);
  EXPECT_NEAR(skips_for_locality({1000, 3, 20}, 0.95), 231, 0.5);
  EXPECT_EQ(skips_for_locality({100, 3, 20}, 0), 0);
}

TEST(DelayFormula, TheSkipsItAsksForGiveTheWantedLocality) {
  for (const std::int64_t tasks : {1, 5, 20, 200}) {
    for (const double wanted : {0.5, 0.8, 0.95, 0.99}) {
      const DelayModel model{100, 3, tasks};
      EXPECT_GE(expected_locality(model, skips_for_locality(model, wanted)), wanted)
          << tasks << " " << wanted;
    }
  }
}

TEST(DelayFormula, SkipsForAChanceAreTheLeastThatGiveIt) {
  for (const std::int64_t with_data : {1, 3, 30, 99}) {
    const double others = 1 - static_cast<double>(with_data) / 100;
    const auto skips = *skips_for_chance(with_data, 100, 950'000);
    EXPECT_GE(1 - std::pow(others, static_cast<double>(skips)), 0.95);
    EXPECT_LT(1 - std::pow(others, static_cast<double>(skips - 1)), 0.95);
  }
  EXPECT_EQ(skips_for_chance(100, 100, 999'999), 1);
  EXPECT_EQ(skips_for_chance(1, 100, 0), 1);
  EXPECT_EQ(skips_for_chance(0, 100, 950'000), std::nullopt);
}

TEST(DelayFormula, AWaitIsSkipsTimesTaskTimeOverSlots) {
  // 0.23 M skips on M nodes of 8 slots are 2.9% of a task.
  const auto skips = skips_for_locality({100, 3, 20}, 0.95);
  EXPECT_NEAR(static_cast<double>(wait_for_skips(skips, Duration{10s}, 800).count()), 0.029 * 10e6,
              0.001 * 10e6);
}

TEST(DelayFormula, MeasuredReleasesTurnSkipsIntoTimeAndBack) {
  EXPECT_DOUBLE_EQ(skips_in_wait(10s, 27), 270);
  EXPECT_EQ(wait_for_skips(270, 27.0), Duration{10s});
  EXPECT_EQ(percent(local_chance({620, 3, 1}, 1, skips_in_wait(10s, 27))), 73);
}

TEST(DelayFormula, ChanceIsAtLeastThePapersExponentialBound) {
  for (const std::int64_t left : {1, 3, 30, 99}) {
    EXPECT_GE(local_chance({100, 3, 99}, left, 7), 1 - std::exp(-3.0 * 7 * static_cast<double>(left) / 100));
  }
}

TEST(DelayFormula, WithMoreTasksThanNodesEveryNodeHasData) {
  EXPECT_EQ(nodes_with_data({100, 3, 500}, 500), 1);
  EXPECT_EQ(local_chance({100, 3, 500}, 500, 1), 1);
  EXPECT_NEAR(nodes_with_data({100, 3, 10}, 10), 1 - 0.9 * 0.9 * 0.9, 1e-12);
}

TEST(DelayFormula, LongTasksBlockABlockOnAllItsAgents) {
  EXPECT_DOUBLE_EQ(chance_all_blocked(0.5, 3, 2), std::pow(0.5, 6));
}

}  // namespace
}  // namespace proffer
