// Reduces that are started before all maps are done.
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

MapReduceConfig slow_start(std::uint32_t milli, std::uint32_t max_copying = 0) {
  MapReduceConfig config;
  config.slow_start_milli = milli;
  config.max_copying = max_copying;
  return config;
}

/// A job of four maps and two reduces whose reduces may start once half of the maps are done.
struct HalfWay : Hand {
  explicit HalfWay(std::uint32_t max_copying = 0) : Hand(slow_start(500, max_copying)) {
    input("/in", {{"a1"}, {"a1"}, {"a1"}, {"a1"}});
    submit(word_count());
    begin();
    maps = offer_map("a1", 4);
  }
  std::vector<TaskSpec> maps;
};

std::vector<TaskId> maps_in(const MoreInputs& more) {
  std::vector<TaskId> maps;
  for (const auto& input : more.inputs) maps.push_back(input.map);
  return maps;
}

TEST(SlowStart, LaunchesNoReduceBeforeItsPartOfTheMapsIsDone) {
  HalfWay hand;
  hand.finish(hand.maps[0]);
  EXPECT_THAT(hand.offer_reduce("a2"), IsEmpty());
  hand.finish(hand.maps[1]);
  EXPECT_THAT(hand.offer_reduce("a2"), SizeIs(1));
}

TEST(SlowStart, AReduceIsToldOfWhatThereIsOnceItRuns) {
  HalfWay hand;
  hand.finish(hand.maps[2]);
  hand.finish(hand.maps[0]);
  const auto reduce = hand.offer_reduce("a2").at(0);
  EXPECT_FALSE(reduce_of(reduce).complete);
  EXPECT_THAT(reduce_of(reduce).inputs, IsEmpty());
  EXPECT_THAT(hand.fed, IsEmpty());
  hand.runs(reduce);
  ASSERT_THAT(hand.fed, SizeIs(1));
  EXPECT_EQ(hand.fed[0].task, reduce.id);
  EXPECT_THAT(maps_in(hand.fed[0]), ElementsAre(hand.maps[2].id, hand.maps[0].id));
  EXPECT_FALSE(hand.fed[0].complete);
}

TEST(SlowStart, AReduceIsToldOfTheRestAsMapsEndAndWhenThatIsAll) {
  HalfWay hand;
  hand.finish(hand.maps[0]);
  hand.finish(hand.maps[1]);
  hand.runs(hand.offer_reduce("a2").at(0));
  hand.finish(hand.maps[2]);
  hand.finish(hand.maps[3]);
  ASSERT_THAT(hand.fed, SizeIs(3));
  EXPECT_THAT(maps_in(hand.fed[1]), ElementsAre(hand.maps[2].id));
  EXPECT_FALSE(hand.fed[1].complete);
  EXPECT_EQ(hand.fed[2].from, 3u);
  EXPECT_EQ(hand.fed[2].to, 4u);
  EXPECT_TRUE(hand.fed[2].complete);
}

TEST(SlowStart, AReduceThatIsLaunchedLaterHasAllItsInputs) {
  HalfWay hand;
  for (const auto& map : hand.maps) hand.finish(map);
  const auto reduce = hand.offer_reduce("a2").at(0);
  EXPECT_TRUE(reduce_of(reduce).complete);
  EXPECT_THAT(reduce_of(reduce).inputs, SizeIs(4));
  hand.runs(reduce);
  EXPECT_THAT(hand.fed, IsEmpty());
}

TEST(SlowStart, WhatWasLostOnItsWayIsToldAgainWhenTheReduceAsks) {
  HalfWay hand;
  hand.finish(hand.maps[0]);
  hand.finish(hand.maps[1]);
  const auto reduce = hand.offer_reduce("a2").at(0);
  hand.runs(reduce);
  hand.wants(reduce, 1);
  ASSERT_THAT(hand.fed, SizeIs(2));
  EXPECT_EQ(hand.fed[1].from, 1u);
  EXPECT_THAT(maps_in(hand.fed[1]), ElementsAre(hand.maps[1].id));
  hand.wants(reduce, 2);
  EXPECT_THAT(hand.fed, SizeIs(2)) << "there is nothing new";
}

TEST(SlowStart, ALostOutputStartsReducesThatCopyAgain) {
  HalfWay hand;
  hand.finish(hand.maps[0]);
  hand.finish(hand.maps[1]);
  const auto reduces = hand.offer_reduce("a2", 2);
  for (const auto& reduce : reduces) hand.runs(reduce);
  hand.fail_for_want_of(reduces[0], {hand.maps[0]});
  EXPECT_THAT(hand.kills, IsEmpty()) << "one of two is not believed yet";
  hand.fail_for_want_of(hand.offer_reduce("a3").at(0), {hand.maps[0]});
  ASSERT_THAT(hand.kills, SizeIs(1));
  EXPECT_EQ(hand.kills[0].task, reduces[1].id);
  hand.end(reduces[1], TaskState::killed);
  hand.finish(hand.offer_map("a1").at(0));
  for (std::size_t i = 2; i < 4; ++i) hand.finish(hand.maps[i]);
  hand.run_reduces();
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
}

TEST(SlowStart, AReduceThatFailsEarlyIsMadeElsewhere) {
  HalfWay hand;
  hand.finish(hand.maps[0]);
  hand.finish(hand.maps[1]);
  const auto reduces = hand.offer_reduce("a2", 2);
  hand.offer_map("a3");  // another agent that is known
  hand.fail(reduces[0]);
  EXPECT_THAT(hand.offer_reduce("a2"), IsEmpty());
  EXPECT_THAT(hand.offer_reduce("a3"), SizeIs(1));
}

TEST(SlowStart, JobsEndAsUsual) {
  HalfWay hand;
  hand.finish(hand.maps[0]);
  hand.finish(hand.maps[1]);
  const auto reduces = hand.offer_reduce("a2", 2);
  for (const auto& reduce : reduces) hand.runs(reduce);
  hand.finish(hand.maps[2]);
  hand.finish(hand.maps[3]);
  for (const auto& reduce : reduces) hand.finish(reduce);
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
}

TEST(MaxCopying, KeepsFurtherReducesOfTheJobFromAnAgentUntilItsMapsAreDone) {
  HalfWay hand(1);
  hand.finish(hand.maps[0]);
  hand.finish(hand.maps[1]);
  EXPECT_THAT(hand.offer_reduce("a2", 2), SizeIs(1));
  EXPECT_THAT(hand.offer_reduce("a2"), IsEmpty());
  hand.revived.clear();
  hand.finish(hand.maps[2]);
  hand.finish(hand.maps[3]);
  EXPECT_THAT(hand.revived, testing::Contains(Kind("reduce")));
  EXPECT_THAT(hand.offer_reduce("a2"), SizeIs(1));
}

}  // namespace
}  // namespace proffer::mapreduce_test
