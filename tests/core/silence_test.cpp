#include "proffer/silence.hpp"

#include <gtest/gtest.h>

namespace proffer {
namespace {

constexpr Time after_seconds(int seconds) { return Time{} + std::chrono::seconds(seconds); }

TEST(Silence, BeginsWithTheFirstOfferThatExpires) {
  Silence silence;
  EXPECT_FALSE(silence.holds(after_seconds(0)));
  EXPECT_TRUE(silence.expired(after_seconds(0)));
  EXPECT_TRUE(silence.holds(after_seconds(29)));
  EXPECT_FALSE(silence.holds(after_seconds(30)));
}

TEST(Silence, OffersThatExpireDuringItDoNotCount) {
  Silence silence;
  silence.expired(after_seconds(0));
  EXPECT_FALSE(silence.expired(after_seconds(10)));
  EXPECT_EQ(silence.until, after_seconds(30));
}

TEST(Silence, TheNextInARowIsTwiceAsLongUpToAnHour) {
  Silence silence;
  silence.expired(after_seconds(0));
  silence.expired(after_seconds(30));
  EXPECT_EQ(silence.until, after_seconds(90));
  for (int i = 0; i < 20; ++i) silence.expired(silence.until);
  const auto begins = silence.until;
  silence.expired(begins);
  EXPECT_EQ(silence.until, begins + kLongestSilence);
}

}  // namespace
}  // namespace proffer
