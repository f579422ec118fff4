// What is offered to whom, and when.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::Eq;
using ::testing::SizeIs;

TEST(Offers, AFrameworkIsOfferedWhatStandsIdleWhenItSubscribes) {
  Stage s;
  s.agent("a1", 2);
  s.framework("f");
  EXPECT_EQ(s.offers("f"), "a1:2*");
}

TEST(Offers, AnAgentIsOfferedWhenItRegisters) {
  Stage s;
  s.framework("f");
  EXPECT_EQ(s.offers("f"), "");
  s.agent("a1", 2);
  EXPECT_EQ(s.offers("f"), "a1:2");
}

TEST(Offers, SlotsGoOneByOneToTheNeediest) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.agent("a1", 3);
  EXPECT_EQ(s.offers("f"), "a1:2");
  EXPECT_EQ(s.offers("g"), "a1:1");
}

TEST(Offers, SlotsOfOnePassOnOneAgentAreOneOfferInOneMessage) {
  Stage s;
  s.agent("a1", 2);
  s.agent("a2", 3);
  s.framework("f");
  const auto messages = s.take<Offers>("f");
  ASSERT_THAT(messages, SizeIs(1));
  EXPECT_THAT(messages[0].offers, SizeIs(2));
}

TEST(Offers, IdleAgentsComeInOrderOfTheirIds) {
  Stage s;
  for (const auto* name : {"a1", "a2", "a3", "a4", "a5"}) s.agent(name, 1);
  s.framework("f");
  const auto messages = s.take<Offers>("f");
  ASSERT_THAT(messages, SizeIs(1));
  const auto& offers = messages[0].offers;
  EXPECT_TRUE(std::is_sorted(offers.begin(), offers.end(),
                             [](const Offer& a, const Offer& b) { return a.agent.id < b.agent.id; }));
}

TEST(Offers, EachKindComesInAnOfferOfItsOwn) {
  Stage s;
  s.agent("a1", Resources{{kMap, 2}, {kReduce, 1}});
  s.framework("f");
  EXPECT_EQ(s.offers("f"), "a1:2* a1:reduce:1*");
}

TEST(Offers, NoMoreThanTheDemandIsOffered) {
  Stage s;
  s.agent("a1", 5);
  s.framework("f", {.demand = 3});
  s.framework("g", {.demand = 0});
  EXPECT_EQ(s.offers("f"), "a1:3*");
  EXPECT_EQ(s.offers("g"), "");
}

TEST(Offers, ARiseOfDemandIsAnsweredAtOnce) {
  Stage s;
  s.agent("a1", 5);
  s.framework("f", {.demand = 1});
  s.offers("f");
  s.say("f", Heartbeat{1, Demand{{{kMap, 3}}}});
  EXPECT_EQ(s.offers("f"), "a1:2*");
}

TEST(Offers, AnOutstandingOfferCountsAsUsed) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.agent("a1", 1);
  s.agent("a2", 1);
  s.agent("a3", 1);
  EXPECT_EQ(s.offers("f"), "a1:1 a3:1");
  EXPECT_EQ(s.offers("g"), "a2:1");
}

TEST(Offers, ASlotThatATaskLeavesIsOfferedAtOnce) {
  Stage s;
  s.agent("a1", 1);
  s.framework("f");
  s.run("f", "a1", "t1");
  s.offers("f");
  s.finish("a1", "t1");
  EXPECT_EQ(s.offers("f"), "a1:1");
}

TEST(Offers, AFrameworkAtItsDemandIsOfferedIdleSlotsElsewhereOnceItDeclines) {
  Stage s;
  s.framework("f", {.demand = 1});
  s.agent("a1", 1);
  s.agent("a2", 1);
  EXPECT_EQ(s.offers("f"), "a1:1");
  s.decline("f", "a1");
  EXPECT_EQ(s.offers("f"), "a2:1*");
}

TEST(Offers, AnAgentTellsItsNameRackAndEndpoint) {
  Stage s;
  s.agent("a1", 1, "r7");
  s.framework("f");
  const auto info = s.take<Offers>("f").at(0).offers.at(0).agent;
  EXPECT_EQ(info.name, "a1");
  EXPECT_EQ(info.rack, "r7");
  EXPECT_EQ(info.data_endpoint, "tcp://a1");
}

// ---- pools ----

TEST(Offers, PoolsShareByWeight) {
  Stage s(with_pools({{{"heavy", 3000, {}}, {}, {}}, {{"light", 1000, {}}, {}, {}}}));
  s.framework("h", {.pool = "heavy"});
  s.framework("l", {.pool = "light"});
  s.agent("a1", 4);
  EXPECT_EQ(s.offers("h"), "a1:3");
  EXPECT_EQ(s.offers("l"), "a1:1");
}

TEST(Offers, APoolIsOfferedItsRacksAndAgentsOnly) {
  Stage s(with_pools({{{"static", 1000, {}}, {}, {}},
                      {{"static.left", 1000, {}}, {"r1"}, {}},
                      {{"static.right", 1000, {}}, {"r2"}, {"a3"}}}));
  s.agent("a1", 1, "r1");
  s.agent("a2", 1, "r2");
  s.agent("a3", 1, "r3");
  s.framework("l", {.pool = "static.left"});
  s.framework("r", {.pool = "static.right"});
  EXPECT_EQ(s.offers("l"), "a1:1*");
  EXPECT_EQ(s.held("r", "a2").size() + s.held("r", "a3").size(), 2u);
}

TEST(Offers, WhatAPoolAdmitsRestrictsThePoolsBelow) {
  Stage s(with_pools({{{"p", 1000, {}}, {"r1"}, {}}, {{"p.q", 1000, {}}, {"r1", "r2"}, {}}}));
  s.agent("a1", 1, "r1");
  s.agent("a2", 1, "r2");
  s.framework("f", {.pool = "p.q"});
  EXPECT_EQ(s.offers("f"), "a1:1*");
}

TEST(Offers, WithoutAPoolTheDefaultIsMeant) {
  auto config = with_pools({{{"shared", 1000, {}}, {}, {}}});
  config.default_pool = "shared";
  Stage s(config);
  s.framework("f");
  EXPECT_EQ(s.describe("f").pool, "shared");
}

// ---- standings ----

Standing last_standing(Stage& s, const std::string& framework) {
  const auto messages = s.take<Offers>(framework);
  return messages.empty() || messages.back().standings.empty() ? Standing{} : messages.back().standings[0];
}

TEST(Standings, TellUsedAndFairShare) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.agent("a1", 4);
  const auto standing = last_standing(s, "f");
  EXPECT_EQ(standing.kind, kMap);
  EXPECT_EQ(standing.used, 2);
  EXPECT_EQ(standing.fair, 2);
  EXPECT_FALSE(standing.starved);
}

TEST(Standings, ContendedWhileSomebodyElseWantsMore) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  EXPECT_FALSE(last_standing(s, "f").contended);
  s.framework("g");
  s.decline("f", "a1");
  EXPECT_TRUE(last_standing(s, "g").contended);
}

TEST(Standings, NotContendedBySomebodyWhoLetsOffersExpire) {
  Stage s;
  s.framework("mute");
  s.agent("a1", 1);
  s.framework("f");
  s.pass(30 * kSecond);
  EXPECT_FALSE(last_standing(s, "f").contended);
}

TEST(Standings, NotContendedBySomebodyWhoMayNotHaveIt) {
  Stage s(with_pools({{{"l", 1000, {}}, {"r1"}, {}}, {{"r", 1000, {}}, {"r2"}, {}}}));
  s.framework("r", {.pool = "r"});
  s.framework("l", {.pool = "l"});
  s.agent("a1", 1, "r1");
  EXPECT_FALSE(last_standing(s, "l").contended);
}

TEST(Standings, CompleteWhenNoFreeSlotIsLeft) {
  Stage s;
  s.agent("a1", 3);
  s.framework("f", {.demand = 2});
  EXPECT_FALSE(last_standing(s, "f").complete);
  s.framework("g");
  EXPECT_TRUE(last_standing(s, "g").complete);
}

TEST(Standings, NotCompleteWhileAFilterOfItsOwnHidesAFreeSlot) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  s.decline("f", "a1", kUntilRevive);
  s.take<Offers>("f");
  s.agent("a2", 1);
  EXPECT_FALSE(last_standing(s, "f").complete);
  s.revive("f");
  EXPECT_TRUE(last_standing(s, "f").complete);
}

TEST(Standings, SlotsThatItMayNotHaveAreNeitherMissingNorPartOfItsShare) {
  Stage s(with_pools({{{"l", 1000, {}}, {"r1"}, {}}, {{"r", 1000, {}}, {"r2"}, {}}}));
  s.agent("a1", 1, "r1");
  s.agent("a2", 1, "r2");
  s.framework("l", {.pool = "l"});
  const auto standing = last_standing(s, "l");
  EXPECT_TRUE(standing.complete);
  EXPECT_EQ(standing.fair, 1) << "of two slots in the cluster";
  EXPECT_EQ(s.describe("l").fair, (Quantities{{kMap, 1}}));
}

TEST(Standings, AnAgentThatComesBackInAnotherRackCountsThere) {
  Stage s(with_pools({{{"l", 1000, {}}, {"r1"}, {}}, {{"r", 1000, {}}, {"r2"}, {}}}));
  s.framework("l", {.pool = "l"});
  s.agent("a1", 1, "r1");
  EXPECT_EQ(s.offers("l"), "a1:1");
  s.lose("a1");
  s.reconnect("a1");
  s.agent("a1", 1, "r2");
  EXPECT_EQ(s.offers("l"), "");
  EXPECT_EQ(s.describe("l").fair, (Quantities{{kMap, 0}}));
  s.framework("r", {.pool = "r"});
  EXPECT_TRUE(last_standing(s, "r").complete);
}

// ---- batches ----

AllocatorConfig in_batches(Duration batch) {
  auto config = without_heartbeats();
  config.batch = batch;
  return config;
}

TEST(Batch, WhatIsReleasedWithinOneIsOfferedInOnePassAtItsEnd) {
  Stage s(in_batches(kSecond));
  s.agent("a1", 1);
  s.agent("a2", 1);
  s.framework("f");
  EXPECT_EQ(s.offers("f"), "");
  s.pass(kSecond);
  s.run("f", "a1", "t1");
  s.run("f", "a2", "t2");
  s.take<Offers>("f");
  s.pass(kSecond / 4);
  s.finish("a1", "t1");
  s.pass(kSecond / 4);
  s.finish("a2", "t2");
  s.pass(kSecond / 4);
  EXPECT_THAT(s.take<Offers>("f"), SizeIs(0));
  s.pass(kSecond / 4);
  const auto messages = s.take<Offers>("f");
  ASSERT_THAT(messages, SizeIs(1));
  EXPECT_THAT(messages[0].offers, SizeIs(2));
}

TEST(Batch, AFilterThatEndsWaitsForItsPassToo) {
  Stage s(in_batches(10 * kSecond));
  s.agent("a1", 1);
  s.framework("f");
  s.pass(10 * kSecond);
  EXPECT_EQ(s.offers("f"), "a1:1");
  s.decline("f", "a1", refuse_for(11 * kSecond));
  s.pass(18 * kSecond);
  EXPECT_EQ(s.offers("f"), "");
  s.pass(2 * kSecond);
  EXPECT_EQ(s.offers("f"), "a1:1*");
}

TEST(Batch, NobodyIsWaitedForWhenAllHaveLeftBeforeItsEnd) {
  Stage s(in_batches(10 * kSecond));
  s.agent("a1", 1);
  s.pass(10 * kSecond);
  s.framework("f");
  s.say("f", Teardown{});
  s.sleep(10 * kSecond);
  s.step(TimePassed{});
  EXPECT_EQ(s.machine().next_deadline(), std::nullopt);
}

// ---- reports ----

AllocatorConfig with_reports(std::uint32_t slots = 0) {
  auto config = without_heartbeats();
  config.report_period = 3 * kSecond;
  config.report_slots = slots;
  return config;
}

TEST(Reports, ShowAsManySlotsOfAKindAsTheyMay) {
  Stage s(with_reports(1));
  s.agent("a1", 3);
  s.framework("f");
  s.say("a1", SlotReport{});
  EXPECT_EQ(s.offers("f"), "a1:1");
  s.say("a1", SlotReport{});
  EXPECT_EQ(s.offers("f"), "");
  s.run("f", "a1", "t1");
  EXPECT_EQ(s.offers("f"), "");
  s.say("a1", SlotReport{});
  EXPECT_EQ(s.offers("f"), "a1:1");
}

TEST(Reports, ShowAllThatIsFreeUnlessThereIsABound) {
  Stage s(with_reports());
  s.agent("a1", 3);
  s.framework("f");
  EXPECT_EQ(s.offers("f"), "");
  s.say("a1", SlotReport{});
  EXPECT_EQ(s.offers("f"), "a1:3");
}

TEST(Reports, WhatIsReleasedWaitsForTheNextOne) {
  Stage s(with_reports(1));
  s.agent("a1", 1);
  s.framework("f");
  s.say("a1", SlotReport{});
  EXPECT_EQ(s.offers("f"), "a1:1");
  s.run("f", "a1", "t1");
  s.finish("a1", "t1");
  EXPECT_EQ(s.offers("f"), "");
  s.say("a1", SlotReport{});
  EXPECT_EQ(s.offers("f"), "a1:1");
}

TEST(Reports, WhatIsDeclinedGoesToOthersAtOnceAndThenWaits) {
  Stage s(with_reports(1));
  s.agent("a1", 1);
  s.framework("f");
  s.framework("g");
  s.say("a1", SlotReport{});
  EXPECT_EQ(s.offers("f"), "a1:1");
  s.decline("f", "a1", refuse_for(kSecond / 1000));
  EXPECT_EQ(s.offers("f") + s.offers("g"), "a1:1");
  s.decline("g", "a1", refuse_for(kSecond / 1000));
  s.pass(kSecond);
  EXPECT_EQ(s.offers("f") + s.offers("g"), "");
  s.say("a1", SlotReport{});
  EXPECT_EQ(s.offers("f") + s.offers("g"), "a1:1");
}

TEST(Reports, AreTheOccasionOfAPassAfterAllEndsOfTheReport) {
  Stage s(with_reports(1));
  s.agent("a1", 2);
  s.framework("f");
  for (const auto* task : {"t1", "t2"}) {
    s.say("a1", SlotReport{});
    s.run("f", "a1", task);
  }
  s.framework("g");
  s.offers("f");
  s.finish("a1", "t1");
  s.finish("a1", "t2");
  EXPECT_EQ(s.offers("f") + s.offers("g"), "");
  s.say("a1", SlotReport{});
  EXPECT_EQ(s.offers("f") + s.offers("g"), "a1:1");
}

TEST(Reports, ChangeNothingWhereSlotsAreOfferedAtOnce) {
  Stage s;
  s.agent("a1", 2);
  s.framework("f");
  EXPECT_EQ(s.offers("f"), "a1:2*");
  s.say("a1", SlotReport{});
  EXPECT_EQ(s.offers("f"), "");
}

// ---- traces ----

TEST(Offers, EachIsTraced) {
  Stage s;
  s.framework("f");
  s.agent("a1", 2);
  const auto made = s.traces<OfferMade>();
  ASSERT_THAT(made, SizeIs(1));
  EXPECT_EQ(made[0].agent, s.client("a1").agent);
  EXPECT_EQ(made[0].framework, s.client("f").framework);
  EXPECT_THAT(made[0].resources, Eq(Resources{{kMap, 2}}));
}

}  // namespace
}  // namespace proffer
