// Ids, resources and task states.
#include <gtest/gtest.h>

#include "proffer/ids.hpp"
#include "proffer/resources.hpp"
#include "proffer/task_state.hpp"

namespace proffer {
namespace {

const Kind kMap{"map"};
const Kind kReduce{"reduce"};

TEST(Ids, HexRoundTripsAndRefusesOtherLengthsAndDigits) {
  const Bits128 bits{0x0123456789abcdef, 0xfedcba9876543210};
  EXPECT_EQ(to_hex(bits), "0123456789abcdeffedcba9876543210");
  EXPECT_EQ(bits_from_hex(to_hex(bits)), bits);
  EXPECT_FALSE(bits_from_hex("0123"));
  EXPECT_FALSE(bits_from_hex("0123456789abcdeffedcba987654321g"));
  EXPECT_FALSE(bits_from_hex("+123456789abcdeffedcba9876543210"));
}

TEST(TaskIds, PathLikeAndEmptyOnesAreInvalid) {
  EXPECT_TRUE(valid_task_id("j1-m-00003_0.a"));
  for (const auto* bad : {"", ".", "..", "a/b", "a b", "\xc3\xa4"}) EXPECT_FALSE(valid_task_id(bad)) << bad;
  EXPECT_TRUE(valid_task_id(std::string(128, 'x')));
  EXPECT_FALSE(valid_task_id(std::string(129, 'x')));
}

TEST(Resources, AddingAndTakingAwayKeepsOnlyWhatIsLeft) {
  Resources bag{{kReduce, 1}, {kMap, 2}};
  bag -= Resources{{kMap, 2}};
  EXPECT_EQ(bag, (Resources{{kReduce, 1}}));
  EXPECT_EQ(bag[kMap], 0);
  EXPECT_FALSE(bag.contains(Resources{{kMap, 1}}));
  EXPECT_TRUE(bag.contains(Resources{}));
}

TEST(ResourcesDeathTest, TakingMoreThanThereIsAborts) {
  Resources bag{{kMap, 1}};
  EXPECT_DEATH((bag -= Resources{{kMap, 2}}), "below zero");
}

TEST(TaskStates, TerminalStatesBecomeNothing) {
  for (int from = 0; from < kTaskStates; ++from) {
    for (int to = 0; to < kTaskStates; ++to) {
      const auto a = static_cast<TaskState>(from);
      const auto b = static_cast<TaskState>(to);
      if (is_terminal(a) || a == b) {
        EXPECT_FALSE(can_become(a, b)) << to_string(a) << " -> " << to_string(b);
      }
    }
  }
}

TEST(TaskStates, OnlyUnreachableIsReversible) {
  EXPECT_TRUE(can_become(TaskState::running, TaskState::unreachable));
  EXPECT_TRUE(can_become(TaskState::unreachable, TaskState::running));
  EXPECT_FALSE(can_become(TaskState::running, TaskState::pending));
  EXPECT_FALSE(can_become(TaskState::killing, TaskState::running));
}

}  // namespace
}  // namespace proffer
