// Blocks in demand, as a MapReduce framework reports them and hears of them.
#include "frameworks/mapreduce/block_uses.hpp"
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr UseWanted kWanted{60s, 1s, false, false};

/// Two blocks: the first on a1, the second on a2.
void begin(Hand& hand, const UseWanted& use) {
  hand.store.use = use;
  hand.input("/in", {{"a1"}, {"a2"}});
  hand.submit(grep());
  hand.begin();
}

TEST(HotBlocks, NothingIsReportedWhereNobodyWantsToKnow) {
  Hand hand;
  begin(hand, {});
  hand.offer_map("a1");
  hand.pass(300s);
  EXPECT_THAT(hand.told, IsEmpty());
}

TEST(HotBlocks, CatalogHearsOfTheFrameworkAtOnceAndOfItsLaunchesAtTheEndOfTheInterval) {
  Hand hand;
  begin(hand, kWanted);
  EXPECT_THAT(hand.told, ElementsAre(BlocksUsed{}));
  hand.offer_map("a1");
  hand.offer_map("a3");
  hand.pass(60s);
  ASSERT_THAT(hand.told, SizeIs(2));
  EXPECT_THAT(hand.told[1].blocks,
              ElementsAre(BlockUse{BlockId{1}, 1, 0, {}}, BlockUse{BlockId{2}, 1, 0, {}}));
  EXPECT_THAT(hand.told[1].remote, IsEmpty()) << "nobody asked for that";
}

TEST(HotBlocks, DelayCountsUpToTheThreshold) {
  Hand hand(patient("5s"));
  begin(hand, kWanted);
  hand.offer_map("a3");
  hand.pass(5s);
  hand.offer_map("a1");
  hand.pass(55s);
  ASSERT_THAT(hand.told, SizeIs(2));
  EXPECT_THAT(hand.told[1].blocks, ElementsAre(BlockUse{BlockId{1}, 1, 1, 1s}));
}

TEST(HotBlocks, DelayOfAWaitingJobCountsForItsPendingBlocksWhereThatIsWanted) {
  Hand hand(patient("5s"));
  begin(hand, {60s, 1s, true, false});
  hand.offer_map("a3");
  hand.pass(5s);
  hand.offer_map("a1");
  hand.pass(55s);
  ASSERT_THAT(hand.told, SizeIs(2));
  EXPECT_THAT(hand.told[1].blocks,
              ElementsAre(BlockUse{BlockId{1}, 1, 1, 1s}, BlockUse{BlockId{2}, 1, 1, 1s}));
}

TEST(HotBlocks, AJobThatWaitsAndLaunchesNothingIsToldOfOnceAnInterval) {
  Hand hand(patient("300s"));
  begin(hand, {60s, 1s, true, false});
  hand.offer_map("a3");
  hand.pass(120s);
  ASSERT_THAT(hand.told, SizeIs(3));
  for (const std::size_t report : {1u, 2u}) {
    EXPECT_THAT(hand.told[report].blocks,
                ElementsAre(BlockUse{BlockId{1}, 1, 1, 1s}, BlockUse{BlockId{2}, 1, 1, 1s}));
  }
}

TEST(HotBlocks, AJobThatWaitsIsNotToldOfWhereOnlyLaunchesCount) {
  Hand hand(patient("300s"));
  begin(hand, kWanted);
  hand.offer_map("a3");
  hand.pass(60s);
  EXPECT_THAT(hand.told.at(1).blocks, IsEmpty());
}

TEST(HotBlocks, RemoteReadsAreToldOfWhereTheyAreWanted) {
  Hand hand;
  begin(hand, {60s, 1s, false, true});
  hand.offer_map("a1");
  hand.offer_map("a3");
  hand.pass(60s);
  ASSERT_THAT(hand.told, SizeIs(2));
  EXPECT_THAT(hand.told[1].remote, ElementsAre(RemoteRead{BlockId{2}, agent_id("a3")}));
}

TEST(HotBlocks, ReportsEndWithTheLastJob) {
  MapReduceConfig config;
  config.stop_when_done = false;
  Hand hand(config);
  begin(hand, kWanted);
  for (const auto& task : hand.offer_map("a1", 2)) hand.finish(task);
  hand.pass(60s);
  EXPECT_THAT(hand.told, SizeIs(2)) << "the last launches are told of";
  hand.pass(300s);
  EXPECT_THAT(hand.told, SizeIs(2));
}

TEST(HotBlocks, AReportThatIsDueWhileAJobIsPlannedIsNotTheLast) {
  Hand hand;
  hand.catalog_answers = false;
  begin(hand, kWanted);
  hand.answer_one();  // the output is new
  hand.answer_one();  // the input is listed; to claim the output takes longer
  hand.pass(60s);
  EXPECT_THAT(hand.told, SizeIs(2));
  hand.answer_catalog();
  hand.offer_map("a1");
  hand.pass(60s);
  ASSERT_THAT(hand.told, SizeIs(3));
  EXPECT_THAT(hand.told[2].blocks, SizeIs(1));
}

TEST(HotBlocks, ACatalogThatWantsToKnowAllTheTimeHearsTenTimesASecond) {
  mapreduce::BlockUses uses;
  EXPECT_TRUE(uses.want({1us, 1s, false, false}, Time{}));
  EXPECT_EQ(uses.next(), Time{100ms});
  uses.take(Time{100ms});
  EXPECT_EQ(uses.next(), Time{200ms});
}

TEST(HotBlocks, WhatIsTooLongForAMessageGoesInPages) {
  mapreduce::BlockUses uses;
  uses.want({60s, 1s, false, true}, Time{});
  for (std::uint64_t n = 1; n <= 8193; ++n) uses.launched(JobId{1}, BlockId{n}, agent_id("a1"), n > 2, {});
  const auto pages = uses.take(Time{60s});
  ASSERT_THAT(pages, SizeIs(2));
  EXPECT_THAT(pages[0].blocks, SizeIs(8192));
  EXPECT_THAT(pages[1].blocks, SizeIs(1));
  EXPECT_THAT(pages[1].remote, SizeIs(2));
}

TEST(HotBlocks, NewReplicaRevivesAndIsLaunchedOn) {
  Hand hand(patient("100s"));
  begin(hand, kWanted);
  EXPECT_THAT(hand.offer_map("a3"), IsEmpty());
  hand.revived.clear();
  hand.replicas(BlockId{1}, {"a1", "a3"});
  EXPECT_THAT(hand.revived, ElementsAre(Kind("map")));
  const auto tasks = hand.offer_map("a3");
  ASSERT_THAT(tasks, SizeIs(1));
  EXPECT_EQ(std::get<MapWork>(*tasks[0].work).blocks[0].replicas[0].agent, agent_id("a3"));
}

TEST(HotBlocks, DeletedReplicaIsWaitedForNoLongerWhereItWas) {
  Hand hand(patient("100s"));
  begin(hand, kWanted);
  hand.replicas(BlockId{1}, {"a1", "a3"});
  hand.revived.clear();
  hand.replicas(BlockId{1}, {"a3"});
  EXPECT_THAT(hand.revived, IsEmpty()) << "nothing has come nearer";
  EXPECT_THAT(hand.offer_map("a1"), IsEmpty());
  EXPECT_THAT(hand.offer_map("a3"), SizeIs(1));
}

TEST(HotBlocks, ChangesOfOtherBlocksAndOfLaunchedTasksChangeNothing) {
  Hand hand;
  begin(hand, kWanted);
  const auto task = hand.offer_map("a1").at(0);
  hand.revived.clear();
  hand.replicas(BlockId{99}, {"a4"});
  hand.replicas(BlockId{1}, {"a4"});
  EXPECT_THAT(hand.revived, IsEmpty());
  hand.finish(task);
}

TEST(HotBlocks, AJobThatIsStillPlannedKnowsTheNewPlacesOnceItBegins) {
  Hand hand(patient("100s"));
  hand.catalog_answers = false;
  begin(hand, kWanted);
  hand.answer_one();  // the output is new
  hand.answer_one();  // the input is listed; to claim the output takes longer
  hand.replicas(BlockId{1}, {"a5"});
  hand.answer_catalog();
  EXPECT_THAT(hand.offer_map("a1"), IsEmpty());
  EXPECT_THAT(hand.offer_map("a5"), SizeIs(1));
}

TEST(HotBlocks, ARunAgainAfterAllItsPlacesDiedReadsFromWhereItsBlockIsNow) {
  Hand hand;
  begin(hand, kWanted);
  const auto task = hand.offer_map("a1").at(0);
  hand.replicas(BlockId{1}, {"a5"});
  hand.fail(task);
  const auto again = hand.offer_map("a5");
  ASSERT_THAT(again, SizeIs(1));
  const auto& replicas = std::get<MapWork>(*again[0].work).blocks.at(0).replicas;
  ASSERT_THAT(replicas, SizeIs(1));
  EXPECT_EQ(replicas[0].agent, agent_id("a5"));
}

TEST(HotBlocks, ARunAgainAfterAFailureKnowsTheNewPlaces) {
  Hand hand(patient("100s"));
  begin(hand, kWanted);
  const auto task = hand.offer_map("a1").at(0);
  hand.replicas(BlockId{1}, {"a5"});
  hand.fail(task);
  EXPECT_THAT(hand.offer_map("a5"), SizeIs(1));
}

}  // namespace
}  // namespace proffer::mapreduce_test
