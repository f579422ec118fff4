// Long-task balancing.
#include "frameworks/mapreduce/long_tasks.hpp"

#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using mapreduce::LongTasks;
using testing::Contains;
using testing::IsEmpty;
using testing::SizeIs;

constexpr JobId kShort{1};
constexpr JobId kLong{2};

/// Of two jobs whose tasks took 1 s and `longer`.
LongTasks after(Duration longer) {
  LongTasks tasks;
  for (const auto& [job, took] : {std::pair(kShort, Duration(1s)), std::pair(kLong, longer)}) {
    for (int i = 0; i < (job == kShort ? 7 : 3); ++i) {
      tasks.launched(job, agent_id("a1"));
      tasks.ended(job, agent_id("a1"), took);
    }
  }
  tasks.check_invariants();
  return tasks;
}

TEST(LongTasks, AJobIsLongWhoseMeanIsMoreThanThreeTimesTheMedian) {
  EXPECT_TRUE(after(3001ms).is_long(kLong));
  EXPECT_FALSE(after(3000ms).is_long(kLong));
  EXPECT_FALSE(after(3001ms).is_long(kShort));
}

TEST(LongTasks, ANewJobCountsAsLongUntilThreeTasksHaveEnded) {
  LongTasks tasks;
  for (int ended = 0; ended < 3; ++ended) {
    EXPECT_TRUE(tasks.is_long(kShort));
    tasks.launched(kShort, agent_id("a1"));
    tasks.ended(kShort, agent_id("a1"), 1s);
  }
  EXPECT_FALSE(tasks.is_long(kShort));
}

TEST(LongTasks, ATaskThatDidNotEndWellTellsNothing) {
  LongTasks tasks;
  for (int i = 0; i < 5; ++i) {
    tasks.launched(kShort, agent_id("a1"));
    tasks.ended(kShort, agent_id("a1"), Duration::zero());
  }
  EXPECT_TRUE(tasks.is_long(kShort));
}

TEST(LongTasks, AnAgentIsCrowdedAboveTheMeanForLongJobsOnly) {
  auto tasks = after(10s);
  EXPECT_FALSE(tasks.crowded(kLong, agent_id("a1"), 0, 2));
  EXPECT_TRUE(tasks.crowded(kLong, agent_id("a1"), 1, 2)) << "a second one in the same offer";
  tasks.launched(kLong, agent_id("a1"));
  EXPECT_TRUE(tasks.crowded(kLong, agent_id("a1"), 0, 2));
  EXPECT_FALSE(tasks.crowded(kLong, agent_id("a2"), 0, 2));
  EXPECT_FALSE(tasks.crowded(kShort, agent_id("a1"), 0, 2));
}

TEST(LongTasks, AnAgentIsCrowdedForJobsThatShareAFileToo) {
  auto tasks = after(1s);
  constexpr BlockId kFile{9};
  tasks.uses(kShort, kFile);
  tasks.launched(kShort, agent_id("a1"));
  EXPECT_FALSE(tasks.crowded(kShort, agent_id("a1"), 0, 2)) << "nobody else uses it";
  tasks.uses(kLong, kFile);
  EXPECT_TRUE(tasks.crowded(kShort, agent_id("a1"), 0, 2));
  EXPECT_TRUE(tasks.crowded(kLong, agent_id("a1"), 0, 2));
  EXPECT_FALSE(tasks.crowded(kLong, agent_id("a2"), 0, 2));
  tasks.forget(kLong);
  EXPECT_FALSE(tasks.crowded(kShort, agent_id("a1"), 0, 2));
}

TEST(LongTasks, OnlyTheNewestTasksAreRemembered) {
  auto tasks = after(10s);
  for (std::size_t i = 0; i < LongTasks::kRemembered; ++i) {
    tasks.launched(kShort, agent_id("a1"));
    tasks.ended(kShort, agent_id("a1"), 4s);
  }
  tasks.check_invariants();
  EXPECT_FALSE(tasks.is_long(kLong)) << "the median is 4 s by now";
}

/// Two agents, and a new job of six maps that lie on both.
struct Spread : Hand {
  Spread() : Hand(balancing()) {
    input("/in", std::vector<std::vector<std::string>>(6, {"a1", "a2"}));
    submit(grep());
    begin();
    offer_reduce("a2");  // it knows both agents
  }
  static MapReduceConfig balancing() {
    MapReduceConfig config;
    config.balance_long_tasks = true;
    return config;
  }
};

TEST(LongTaskBalancing, ALongJobTakesSlotsOnBothAgentsInTurn) {
  Spread hand;
  EXPECT_THAT(hand.offer_map("a1", 3), SizeIs(1));
  EXPECT_THAT(hand.offer_map("a1", 2), IsEmpty());
  EXPECT_THAT(hand.offer_map("a2", 3), SizeIs(2)) << "the second where there is the mean";
  EXPECT_THAT(hand.offer_map("a1", 1), SizeIs(1));
}

TEST(LongTaskBalancing, WhatWasRefusedIsAskedForAgainOnceTheOthersAreThere) {
  Spread hand;
  hand.offer_map("a1", 3);
  hand.offer_map("a1", 2);
  hand.revived.clear();
  hand.offer_map("a1", 2);
  EXPECT_THAT(hand.revived, IsEmpty()) << "nothing has changed";
  hand.offer_map("a2", 1);
  EXPECT_THAT(hand.revived, Contains(Kind("map")));
}

TEST(LongTaskBalancing, IsOffByItself) {
  Hand hand;
  hand.input("/in", {{"a1"}, {"a1"}, {"a1"}});
  hand.submit(grep());
  hand.begin();
  hand.offer_reduce("a2");
  EXPECT_THAT(hand.offer_map("a1", 3), SizeIs(3));
}

}  // namespace
}  // namespace proffer::mapreduce_test
