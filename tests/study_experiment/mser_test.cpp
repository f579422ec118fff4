#include "proffer/study/mser.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace proffer::study {
namespace {

/// So many values that rise to 10, then values that swing around it.
std::vector<double> series(std::size_t rising, std::size_t steady) {
  std::vector<double> values;
  for (std::size_t i = 0; i < rising; ++i) {
    values.push_back(10.0 * static_cast<double>(i) / static_cast<double>(rising));
  }
  for (std::size_t i = 0; i < steady; ++i) values.push_back(i % 2 == 0 ? 9.5 : 10.5);
  return values;
}

TEST(StartUp, EndsWhereTheSeriesIsSteady) {
  const auto found = start_up_of(series(40, 200));
  ASSERT_TRUE(found);
  EXPECT_GE(*found, 35u);
  EXPECT_LE(*found, 45u);
}

TEST(StartUp, OfASteadySeriesIsNone) { EXPECT_EQ(start_up_of(series(0, 200)), 0u); }

TEST(StartUp, OfASeriesThatNeverIsSteadyIsNotKnown) { EXPECT_FALSE(start_up_of(series(200, 0))); }

TEST(StartUp, OfFewValuesIsNotKnown) { EXPECT_FALSE(start_up_of(series(10, 30))); }

}  // namespace
}  // namespace proffer::study
