// DSBRA's formulas, by values worked out by hand.
#include <gtest/gtest.h>

#include "catalog/tables/dsbra.hpp"

namespace proffer::catalog::dsbra {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(DsbraDelay, IsTheMeanOfHowOftenAndHowLong) {
  EXPECT_EQ(delay_of({4, 2, seconds(2)}, seconds(1)), 500'000);         // (2/4 + 2/(1*4)) / 2
  EXPECT_EQ(delay_of({4, 1, milliseconds(500)}, seconds(1)), 187'500);  // (1/4 + 0.5/4) / 2
  EXPECT_EQ(delay_of({4, 4, seconds(4)}, seconds(1)), kOne);
}

TEST(DsbraDelay, BlockThatNobodyReadHasNone) { EXPECT_EQ(delay_of({}, seconds(1)), 0); }

TEST(DsbraDelay, IsNeverMoreThanOne) {
  EXPECT_EQ(delay_of({2, 9, seconds(100)}, seconds(1)), kOne);
  EXPECT_EQ(delay_of({1, 1, seconds(5)}, Duration::zero()), kOne / 2)
      << "without a threshold there is no how long";
}

TEST(DsbraFactor, WeighsTheNewestIntervalWithAlpha) {
  EXPECT_EQ(factor_of(800'000, {200'000, 3}, 500, false), 500'000);
  EXPECT_EQ(factor_of(800'000, {200'000, 3}, 250, false), 350'000);
  EXPECT_EQ(factor_of(800'000, {200'000, 3}, 500, true), 250'000) << "the printed one halves it once more";
}

TEST(DsbraHistory, IsTheMeanOfAllFactors) {
  const auto once = after({}, 250'000);
  EXPECT_EQ(once.mean, 250'000);
  const auto twice = after(once, 750'000);
  EXPECT_EQ(twice.mean, 500'000);
  EXPECT_EQ(twice.runs, 2u);
}

TEST(DsbraCopies, AreOneForEachStepAboveTheMean) {
  EXPECT_EQ(copies_wanted(500'000, 300'000), 0) << "it has to be above";
  EXPECT_EQ(copies_wanted(500'001, 300'000), 1);
  EXPECT_EQ(copies_wanted(900'000, 300'000), 3);
}

TEST(DsbraCopies, AreNoneWhileTheMeanIsLow) { EXPECT_EQ(copies_wanted(kOne, kStep), 0); }

TEST(DsbraCold, DependsOnTheMean) {
  EXPECT_TRUE(is_cold(100'000, 200'000));
  EXPECT_FALSE(is_cold(100'001, 200'000));
  EXPECT_TRUE(is_cold(200'000, 200'001));
  EXPECT_FALSE(is_cold(200'001, 200'001));
}

TEST(DsbraLiteral, NeverWantsACopyHoweverLongEverythingIsDelayed) {
  History history;
  for (int run = 0; run < 2000; ++run) {
    const auto factor = factor_of(kOne, history, 500, true);
    history = after(history, factor);
    ASSERT_LE(factor, kOne / 3 + 1);
    for (Millionths mean = 0; mean <= kOne; mean += 10'000) ASSERT_EQ(copies_wanted(factor, mean), 0);
  }
}

}  // namespace
}  // namespace proffer::catalog::dsbra
