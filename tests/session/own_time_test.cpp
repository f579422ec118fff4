// Pauses of the process itself: time that stands still in them, and gaps between steps.
#include "proffer/session/own_time.hpp"

#include <gtest/gtest.h>

namespace proffer::session {
namespace {

constexpr Duration kSecond = std::chrono::seconds(1);

Time at(int seconds) { return Time{} + seconds * kSecond; }

TEST(OwnTimeOf, AProcessThatIsNeverLateIsTheWorlds) {
  OwnTime own;
  EXPECT_EQ(own.at(at(5), at(5), kSecond), at(5));
  EXPECT_EQ(own.at(at(7), {}, kSecond), at(7)) << "nothing was due";
  EXPECT_EQ(own.at(at(8), at(7), kSecond), at(8)) << "as late as is tolerated";
  EXPECT_EQ(own.to_world(at(9)), at(9));
}

TEST(OwnTimeOf, AProcessThatSleptStoodStill) {
  OwnTime own;
  EXPECT_EQ(own.at(at(60), at(10), kSecond), at(10));
  EXPECT_EQ(own.at(at(61), at(11), kSecond), at(11));
  EXPECT_EQ(own.to_world(at(12)), at(62));
  EXPECT_EQ(own.at(at(100), at(12), kSecond), at(12)) << "gaps add up";
  EXPECT_EQ(own.to_world(at(12)), at(100));
  EXPECT_EQ(own.slept(), 88 * kSecond);
}

TEST(OwnTimeOf, WithoutAToleranceItIsTheWorlds) {
  OwnTime own;
  EXPECT_EQ(own.at(at(1000), at(10), Duration::zero()), at(1000));
}

TEST(APauseDetector, TellsOfGapsBetweenStepsThatAreLongerThanTolerated) {
  PauseDetector pauses;
  EXPECT_EQ(pauses.step(at(50), kSecond), Duration::zero()) << "the first step";
  EXPECT_EQ(pauses.step(at(51), kSecond), Duration::zero()) << "as long as is tolerated";
  EXPECT_EQ(pauses.step(at(60), kSecond), 9 * kSecond);
  EXPECT_EQ(pauses.step(at(60), kSecond), Duration::zero()) << "the gap has been told of";
}

}  // namespace
}  // namespace proffer::session
