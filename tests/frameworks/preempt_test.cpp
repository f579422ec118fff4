// PREEMPT: the scheduler chooses who dies, newest first unless it knows better.
#include "tests/frameworks/session_world.hpp"

namespace proffer::testing {
namespace {

struct PreemptTest : ::testing::Test {
  PreemptTest() {
    world.subscribe();
    for (const auto* task : {"old", "middle", "new"}) world.run(task);
  }
  std::vector<std::string> killed() {
    std::vector<std::string> tasks;
    for (const auto& message : world.sent()) {
      if (const auto* kill = std::get_if<Kill>(&message)) tasks.push_back(kill->task.value);
    }
    return tasks;
  }
  SessionWorld world;
};

TEST_F(PreemptTest, TheNewestAreKilledByDefault) {
  world.say(Preempt{{{kMap, 2}}, 5s});
  EXPECT_THAT(killed(), ElementsAre("new", "middle"));
}

TEST_F(PreemptTest, NoMoreAreKilledThanTheirSlotsAskFor) {
  world.run("wide", 2);
  world.say(Preempt{{{kMap, 3}}, 5s});
  EXPECT_THAT(killed(), ElementsAre("wide", "new"));
}

TEST_F(PreemptTest, TheyHaveHalfTheTimeToEnd) {
  world.say(Preempt{{{kMap, 1}}, 6s});
  const auto sent = world.sent();
  ASSERT_THAT(sent, SizeIs(1));
  EXPECT_EQ(std::get<Kill>(sent[0]), (Kill{world.framework_id, {"new"}, 3s}));
}

TEST_F(PreemptTest, NoMoreAreKilledThanThereAre) {
  world.say(Preempt{{{kMap, 9}}, 5s});
  EXPECT_THAT(killed(), SizeIs(3));
}

TEST_F(PreemptTest, TasksOfOtherKindsAreLeftAlone) {
  world.say(Preempt{{{kReduce, 2}}, 5s});
  EXPECT_THAT(killed(), IsEmpty());
}

TEST_F(PreemptTest, WhatIsBeingKilledOrHasEndedIsNotChosen) {
  world.call([](Driver& driver) { driver.kill({"new"}); });
  world.update("middle", 1, TaskState::finished);
  killed();
  world.say(Preempt{{{kMap, 2}}, 5s});
  EXPECT_THAT(killed(), ElementsAre("old"));
}

}  // namespace
}  // namespace proffer::testing
