// What is asked for again, and how often.
#include "live/worker/attempts.hpp"

#include <gtest/gtest.h>

namespace proffer::live {
namespace {

TEST(Attempts, EndWithTheFirstThatSucceeds) {
  int calls = 0;
  EXPECT_TRUE(try_again([&]() -> Result<> {
    if (++calls < 2) return Error{ErrorCode::timed_out, "silence"};
    return {};
  }));
  EXPECT_EQ(calls, 2);
}

TEST(Attempts, AreThreeAndTellTheLastError) {
  int calls = 0;
  const auto tried = try_again([&]() -> Result<> {
    return Error{ErrorCode::unreachable, std::to_string(++calls)};
  });
  ASSERT_FALSE(tried);
  EXPECT_EQ(tried.error().message, "3");
}

TEST(Attempts, AreNotRepeatedForWhatIsNotThere) {
  int calls = 0;
  EXPECT_FALSE(try_again([&]() -> Result<> {
    ++calls;
    return Error{ErrorCode::not_found, "gone"};
  }));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace proffer::live
