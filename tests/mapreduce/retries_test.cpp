// Questions that brought nothing.
#include "frameworks/mapreduce/retries.hpp"

#include <gtest/gtest.h>

namespace proffer::mapreduce {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = time_from_us(5'000'000);

TEST(Retries, AQuestionInVainIsAskedAgainAPauseLater) {
  Retries retries;
  EXPECT_TRUE(retries.again(Step::list_input, kNow, 10s));
  EXPECT_EQ(retries.next(), kNow + Retries::kPause);
  EXPECT_FALSE(retries.take_due(kNow));
  EXPECT_EQ(retries.take_due(kNow + Retries::kPause), Step::list_input);
  EXPECT_FALSE(retries.next());
}

TEST(Retries, PatienceEndsSoLongAfterTheFirstQuestionInVain) {
  Retries retries;
  EXPECT_TRUE(retries.again(Step::list_input, kNow, 10s));
  EXPECT_TRUE(retries.again(Step::list_input, kNow + 9s, 10s));
  EXPECT_FALSE(retries.again(Step::list_input, kNow + 10s, 10s));
  EXPECT_EQ(retries.in_vain(), 3u);
}

TEST(Retries, AnAnswerBeginsPatienceAnew) {
  Retries retries;
  retries.again(Step::list_input, kNow, 10s);
  EXPECT_TRUE(retries.is_waiting());
  retries.answered();
  EXPECT_FALSE(retries.is_waiting());
  EXPECT_EQ(retries.in_vain(), 0u);
  EXPECT_TRUE(retries.again(Step::list_input, kNow + 10s, 10s));
}

TEST(Retries, NothingIsAskedAgainOnceStopped) {
  Retries retries;
  retries.again(Step::list_input, kNow, 10s);
  retries.stop();
  EXPECT_FALSE(retries.take_due(kNow + 1h));
}

}  // namespace
}  // namespace proffer::mapreduce
