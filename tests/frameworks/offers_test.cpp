// Offers, and the calls that answer them.
#include "tests/frameworks/session_world.hpp"

namespace proffer::testing {
namespace {

struct OffersTest : ::testing::Test {
  OffersTest() {
    world.subscribe();
    world.sent();
    world.scheduler.take_log();
  }
  SessionWorld world;
};

TEST_F(OffersTest, ReachTheScheduler) {
  world.say(Offers{{offer(1, agent(1)), offer(2, agent(2))}, {}});
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("offers 1 2"));
}

TEST_F(OffersTest, ThatWereRescindedBeforeTheyCameDoNot) {
  world.say(Rescind{{OfferId{1, 2}}});
  world.say(Offers{{offer(1, agent(1)), offer(2, agent(2))}, {}});
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("offers 1"));
}

TEST_F(OffersTest, AreRememberedAsRescindedForAMinute) {
  world.say(Rescind{{OfferId{1, 1}, OfferId{1, 2}}});
  for (int i = 0; i < 20; ++i) {
    world.pass(3s);
    world.say(Heartbeat{});
  }
  world.offer_slots(1);
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
  world.pass(1us);
  world.offer_slots(2);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("offers 2"));
}

TEST_F(OffersTest, ARescindTellsTheSchedulerOfThoseThatItHolds) {
  world.say(Offers{{offer(1, agent(1)), offer(2, agent(2)), offer(3, agent(3))}, {}});
  world.call([](Driver& driver) { driver.decline({1, 2}, DeclineReason::policy, 0s); });
  world.scheduler.take_log();
  world.say(Rescind{{OfferId{1, 2}, OfferId{1, 3}, OfferId{1, 9}}});
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("rescinded 3"));
}

TEST_F(OffersTest, CallsBecomeMessagesInOrderWithRisingNumbersAndDemand) {
  world.say(Offers{{offer(1, agent(1)), offer(2, agent(2)), offer(3, agent(3))}, {}});
  world.call([](Driver& driver) {
    driver.set_demand(kReduce, 1);
    driver.set_demand(kMap, 5);
    driver.accept({{1, 1}}, {TaskSpec{{"a"}, {}, {}, nullptr}}, DeclineReason::no_node_local, 2s);
    driver.decline({1, 2}, DeclineReason::no_node_local, 2s);
    driver.accept({{1, 3}}, {TaskSpec{{"b"}, {}, {}, nullptr}});
    driver.revive({kMap});
  });
  const Demand demand{{{kMap, 5}, {kReduce, 1}}};
  const auto sent = world.sent();
  ASSERT_THAT(sent, SizeIs(4));
  EXPECT_EQ(std::get<Accept>(sent[0]), (Accept{1,
                                               {{1, 1}},
                                               {TaskSpec{{"a"}, {}, {}, nullptr}},
                                               DeclineReason::no_node_local,
                                               Duration{2s},
                                               demand}));
  EXPECT_EQ(std::get<Decline>(sent[1]),
            (Decline{{{1, 2}}, DeclineReason::no_node_local, Duration{2s}, demand}));
  EXPECT_EQ(std::get<Accept>(sent[2]).accept, 2u);
  EXPECT_EQ(std::get<Revive>(sent[3]), (Revive{{kMap}, demand}));
}

TEST_F(OffersTest, DeclinesAlikeTravelTogether) {
  world.say(Offers{{offer(1, agent(1)), offer(2, agent(2)), offer(3, agent(3))}, {}});
  world.call([](Driver& driver) {
    driver.decline({1, 1}, DeclineReason::no_node_local, 2s);
    driver.decline({1, 2}, DeclineReason::no_node_local, 2s);
    driver.decline({1, 3}, DeclineReason::no_node_local, std::nullopt);
  });
  const auto declines = world.sent_of<Decline>();
  ASSERT_THAT(declines, SizeIs(2));
  EXPECT_THAT(declines[0].offers, ElementsAre(OfferId{1, 1}, OfferId{1, 2}));
  EXPECT_THAT(declines[1].offers, ElementsAre(OfferId{1, 3}));
  EXPECT_EQ(declines[1].refuse_for, std::nullopt);
}

TEST_F(OffersTest, AnAcceptWithoutTasksIsADecline) {
  world.offer_slots(1);
  world.call([](Driver& driver) { driver.accept({{1, 1}}, {}, DeclineReason::too_small, 1s); });
  EXPECT_EQ(world.sent_of<Decline>(),
            (std::vector<Decline>{{{{1, 1}}, DeclineReason::too_small, Duration{1s}, {}}}));
}

TEST_F(OffersTest, AreVoidWithTheirSession) {
  world.offer_slots(1);
  world.lose_connection();
  world.scheduler.take_log();
  world.sent();
  world.launch(1, "t");
  EXPECT_THAT(world.sent_of<Accept>(), IsEmpty());
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t DROPPED offer-gone"));
}

TEST_F(OffersTest, ARefusedTaskBecomesAStatusWithThatStateAndReason) {
  world.say(Offers{{offer(1, agent(1), 3)}, {}});
  world.call([](Driver& driver) {
    driver.accept({{1, 1}}, {TaskSpec{{"a"}, {}, {}, nullptr}, TaskSpec{{"b"}, {}, {}, nullptr},
                             TaskSpec{{"c"}, {}, {}, nullptr}});
  });
  world.scheduler.take_log();
  world.sent();
  world.say(Accepted{1,
                     {{{"a"}, true, TaskState::pending, TaskReason::none},
                      {{"b"}, false, TaskState::rejected, TaskReason::too_large},
                      {{"c"}, false, TaskState::dropped, TaskReason::offer_gone}}});
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("b REJECTED too-large", "c DROPPED offer-gone"));
  EXPECT_EQ(world.scheduler.statuses[0].agent, agent_id(1));
  EXPECT_EQ(world.scheduler.statuses[0].framework, world.framework_id);
  EXPECT_THAT(world.sent(), IsEmpty());  // no agent ever wrote it, so nobody wants it acknowledged
}

TEST_F(OffersTest, ATaskWithoutAVerdictIsDropped) {
  world.offer_slots(1);
  world.launch(1, "t");
  world.scheduler.take_log();
  world.say(Accepted{1, {}});
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t DROPPED none"));
}

TEST_F(OffersTest, ARefusedIdMayBeUsedAgain) {
  world.offer_slots(1);
  world.launch(1, "t");
  world.verdict(1, "t", false);
  world.offer_slots(2);
  world.launch(2, "t");
  world.scheduler.take_log();
  world.verdict(1, "t", false);  // the former answer, late and doubled
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
  world.verdict(2, "t", true);
  world.update("t", 1, TaskState::running);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t RUNNING none"));
}

TEST_F(OffersTest, AnUnansweredAcceptIsSentAgainUnderItsNumber) {
  world.offer_slots(1);
  world.launch(1, "t");
  const auto first = world.sent_of<Accept>();
  ASSERT_THAT(first, SizeIs(1));
  world.pass(4s);
  world.say(Heartbeat{});
  world.pass(1s - 1us);
  EXPECT_THAT(world.sent_of<Accept>(), IsEmpty());
  world.pass(1us);
  EXPECT_EQ(world.sent_of<Accept>(), first);
  world.verdict(1, "t", true);
  world.pass(4s);
  world.say(Heartbeat{});
  world.pass(4s);
  world.say(Heartbeat{});
  world.pass(4s);
  EXPECT_THAT(world.sent_of<Accept>(), IsEmpty());
}

TEST_F(OffersTest, AnUnansweredAcceptIsSentAgainInANewSession) {
  world.offer_slots(1);
  world.launch(1, "t");
  world.lose_connection();
  world.pass(1s);
  world.sent();
  world.subscribe();
  const auto again = world.sent_of<Accept>();
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again[0].accept, 1u);
  world.scheduler.take_log();
  world.verdict(1, "t", false, TaskState::rejected, TaskReason::duplicate_id);  // it was carried out before
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
  world.update("t", 1, TaskState::finished);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t FINISHED none"));
}

TEST_F(OffersTest, AnAcceptAnsweredWithOfferGoneInANewSessionLeavesNoZombie) {
  world.offer_slots(1);
  world.launch(1, "t");
  world.lose_connection();
  world.pass(1s);
  world.subscribe();
  world.scheduler.take_log();
  world.verdict(1, "t", false);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t DROPPED offer-gone"));
  world.sent();
  world.update("t", 1, TaskState::running);  // the first copy had been carried out after all
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
  EXPECT_THAT(world.sent_names(), ElementsAre("KILL", "ACKNOWLEDGE"));
}

TEST_F(OffersTest, DemandThatRisesIsSentAtOnceAndDemandThatFallsWithTheNextBeat) {
  world.call([](Driver& driver) { driver.set_demand(kMap, 5); });
  EXPECT_EQ(world.sent_of<Heartbeat>().at(0).demand, (Demand{{{kMap, 5}}}));
  world.call([](Driver& driver) { driver.set_demand(kMap, 4); });
  EXPECT_THAT(world.sent(), IsEmpty());
  world.pass(1s);
  EXPECT_EQ(world.sent_of<Heartbeat>().at(0).demand, (Demand{{{kMap, 4}}}));
}

TEST_F(OffersTest, DemandThatFallsIsToldWithinASecondWhereThereAreNoHeartbeats) {
  world.subscribe(0s);
  world.call([](Driver& driver) { driver.set_demand(kMap, 5); });
  world.call([](Driver& driver) { driver.set_demand(kMap, 4); });
  world.sent();
  world.pass(500ms);
  world.call([](Driver& driver) { driver.set_demand(kMap, 3); });
  EXPECT_THAT(world.sent(), IsEmpty());
  world.pass(500ms);
  EXPECT_EQ(world.sent_of<Heartbeat>().at(0).demand, (Demand{{{kMap, 3}}}));
  world.pass(5s);
  EXPECT_THAT(world.sent(), IsEmpty());
}

TEST_F(OffersTest, ASuppressedKindCountsAsNoDemandUntilItIsRevived) {
  world.call([](Driver& driver) { driver.set_demand(kMap, 5); });
  world.sent();
  world.call([](Driver& driver) { driver.suppress({kMap}); });
  EXPECT_THAT(world.sent_names(), ElementsAre("SUPPRESS"));
  world.pass(1s);
  EXPECT_EQ(world.sent_of<Heartbeat>().at(0).demand, (Demand{{{kMap, 0}}}));
  world.call([](Driver& driver) { driver.revive({kMap}); });
  EXPECT_EQ(world.sent_of<Revive>().at(0).demand, (Demand{{{kMap, 5}}}));
}

TEST_F(OffersTest, DemandAboveZeroEndsASuppressionToo) {
  world.call([](Driver& driver) {
    driver.set_demand(kMap, 5);
    driver.suppress();
  });
  world.sent();
  world.call([](Driver& driver) { driver.set_demand(kMap, 2); });
  EXPECT_EQ(world.sent_of<Heartbeat>().at(0).demand, (Demand{{{kMap, 2}}}));
}

using OffersDeathTest = OffersTest;

TEST_F(OffersDeathTest, ATaskIdInUseAborts) {
  world.run("t");
  world.offer_slots(2);
  EXPECT_DEATH(world.launch(2, "t"), "used once");
}

}  // namespace
}  // namespace proffer::testing
