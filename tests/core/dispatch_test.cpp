#include "proffer/dispatch.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace proffer::test_dispatch {
namespace {

struct Log {
  std::vector<std::string> lines;
};

void handle(Log& log, int number) { log.lines.push_back(std::to_string(number)); }
void handle(Log& log, const std::string& text) { log.lines.push_back(text); }

using Anything = std::variant<int, std::string, double>;

TEST(Dispatch, WhatIsListedIsHandled) {
  Log log;
  EXPECT_TRUE(dispatch(Types<int, std::string>{}, Anything(1), log));
  EXPECT_TRUE(dispatch(Types<int, std::string>{}, Anything("two"), log));
  EXPECT_THAT(log.lines, ::testing::ElementsAre("1", "two"));
}

TEST(Dispatch, WhatIsNotListedIsNotHandledThoughThereIsAHandler) {
  Log log;
  EXPECT_FALSE(dispatch(Types<int>{}, Anything("two"), log));
  EXPECT_FALSE(dispatch(Types<int>{}, Anything(2.0), log));
  EXPECT_THAT(log.lines, ::testing::IsEmpty());
}

}  // namespace
}  // namespace proffer::test_dispatch
