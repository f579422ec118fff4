// Coming and going: how a session is opened, kept, lost and opened again.
#include "tests/frameworks/session_world.hpp"

namespace proffer::testing {
namespace {

TEST(Session, SubscribesAtItsFirstStepWithTheDemandDeclaredAtTheStart) {
  auto config = config_for_tests();
  config.instance = 5;
  SessionWorld world(config);
  world.scheduler.on_started = [](Driver& driver) {
    driver.set_demand(kReduce, 0);
    driver.set_demand(kMap, 8);
  };
  EXPECT_LE(*world.framework.next_deadline(), world.now);
  world.step(TimePassed{});
  const auto sent = world.sent_to(kAllocatorPeer);
  ASSERT_THAT(sent, SizeIs(1));
  EXPECT_EQ(sent[0].session, SessionId{});
  EXPECT_EQ(sent[0].seq, 0u);
  EXPECT_EQ(std::get<Subscribe>(sent[0].message), (Subscribe{{},
                                                             "grep",
                                                             "research",
                                                             "ada",
                                                             kFailoverTimeout,
                                                             Demand{{{kMap, 8}, {kReduce, 0}}},
                                                             "normal",
                                                             {},
                                                             5,
                                                             0}));
  EXPECT_FALSE(world.framework.subscribed());
}

TEST(Session, AnUnansweredSubscribeIsRepeatedEverMoreRarely) {
  SessionWorld world;
  world.pass(60s);
  const auto in_a_minute = world.sent_of<Subscribe>().size();
  EXPECT_GE(in_a_minute, 10u);  // the bound on a delay is 10 s, and half of that is the mean
  EXPECT_LE(in_a_minute, 40u);
  world.pass(600s);
  EXPECT_NEAR(static_cast<double>(world.sent_of<Subscribe>().size()), 120, 60);
}

TEST(Session, SubscribedOpensItAndNumbersMessagesFromOne) {
  SessionWorld world;
  world.subscribe();
  world.sent();
  EXPECT_TRUE(world.framework.subscribed());
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("started", "subscribed"));
  world.pass(2s);
  const auto beats = world.sent_to(kAllocatorPeer);
  ASSERT_THAT(beats, SizeIs(2));
  EXPECT_EQ(beats[0].session, world.session);
  EXPECT_EQ(beats[0].cluster, world.cluster);
  EXPECT_EQ(beats[0].epoch, world.epoch);
  EXPECT_EQ(beats[0].seq, 1u);
  EXPECT_EQ(beats[1].seq, 2u);
}

TEST(Session, HeartbeatsCarryDemandAtThePeriodThatSubscribedGave) {
  SessionWorld world;
  world.subscribe(500ms);
  world.call([](Driver& driver) { driver.set_demand(kMap, 3); });
  world.sent();
  for (int i = 0; i < 6; ++i) {
    world.pass(500ms);
    world.say(Heartbeat{});
  }
  const auto beats = world.sent_of<Heartbeat>();
  ASSERT_THAT(beats, SizeIs(6));
  EXPECT_EQ(beats[5].beat, beats[0].beat + 5);
  EXPECT_EQ(beats[0].demand, (Demand{{{kMap, 3}}}));
}

TEST(Session, WithoutAHeartbeatPeriodNothingIsSentAndNobodyIsSilent) {
  SessionWorld world;
  world.subscribe(0s);
  world.sent();
  EXPECT_EQ(world.framework.next_deadline(), std::nullopt);
  world.pass(3600s);
  EXPECT_THAT(world.sent(), IsEmpty());
  EXPECT_TRUE(world.framework.subscribed());
}

TEST(Session, ASilentAllocatorIsGivenUpAfterFiveSecondsNotBefore) {
  SessionWorld world;
  world.subscribe();
  world.pass(5s - 1us);
  EXPECT_TRUE(world.framework.subscribed());
  world.pass(1us);
  EXPECT_FALSE(world.framework.subscribed());
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("started", "subscribed", "disconnected"));
}

TEST(Session, AnyMessageCountsAsAHeartbeat) {
  SessionWorld world;
  world.subscribe();
  for (int i = 0; i < 10; ++i) {
    world.pass(4s);
    world.say(Rescind{});
  }
  EXPECT_TRUE(world.framework.subscribed());
}

TEST(Session, AStoppedProcessDoesNotTakeItsOwnSleepForTheAllocatorsSilence) {
  SessionWorld world;
  world.subscribe();
  world.pass(1s);
  world.freeze(20s);
  world.step(TimePassed{});
  EXPECT_TRUE(world.framework.subscribed());
  world.pass(3s);
  EXPECT_TRUE(world.framework.subscribed());
  world.pass(2s);
  EXPECT_FALSE(world.framework.subscribed());
}

TEST(Session, ALostConnectionIsReplacedUnderTheSameId) {
  SessionWorld world;
  world.subscribe();
  world.sent();
  world.lose_connection();
  EXPECT_FALSE(world.framework.subscribed());
  world.pass(1s);
  const auto again = world.sent_of<Subscribe>();
  ASSERT_FALSE(again.empty());
  EXPECT_EQ(again[0].framework, world.framework_id);
  world.subscribe();
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("started", "subscribed", "disconnected", "subscribed"));
}

TEST(Session, UnknownSessionMeansSubscribeAgain) {
  SessionWorld world;
  world.subscribe();
  world.refuse(ErrorCode::unknown_session);
  world.refuse(ErrorCode::unknown_session);  // one for each message that was on its way
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("started", "subscribed", "disconnected"));
  world.pass(1s);
  world.subscribe();
  EXPECT_TRUE(world.framework.subscribed());
}

TEST(Session, ALaterEpochMeansThatTheAllocatorRestarted) {
  SessionWorld world;
  world.subscribe();
  world.offer_slots(1);
  world.epoch = {2};
  world.say(Heartbeat{});
  EXPECT_FALSE(world.framework.subscribed());
  world.sent();
  world.pass(1s);
  const auto again = world.sent_to(kAllocatorPeer);
  ASSERT_FALSE(again.empty());
  EXPECT_EQ(again[0].epoch, Epoch{2});
  EXPECT_EQ(std::get<Subscribe>(again[0].message).framework, world.framework_id);
}

TEST(Session, AnEarlierEpochIsIgnored) {
  SessionWorld world;
  world.epoch = {5};
  world.subscribe();
  world.scheduler.take_log();
  world.epoch = {4};
  world.offer_slots(1);
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
}

TEST(Session, MessagesOfAnotherSessionAreIgnored) {
  SessionWorld world;
  world.subscribe();
  world.scheduler.take_log();
  auto stray = world.envelope(Offers{{offer(1, agent(1))}, {}});
  stray.session = {999};
  world.deliver(stray);
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
}

TEST(Session, ADoubledMessageIsHandledOnce) {
  SessionWorld world;
  world.subscribe();
  world.scheduler.take_log();
  const auto offers = world.envelope(Offers{{offer(1, agent(1))}, {}});
  world.deliver(offers);
  world.launch(1, "t");
  world.deliver(offers);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("offers 1"));
}

TEST(Session, ItComesBackWithTheSecretThatItWasGiven) {
  SessionWorld world;
  world.subscribe();
  world.sent();
  world.lose_connection();
  world.pass(1s);
  const auto again = world.sent_of<Subscribe>();
  ASSERT_FALSE(again.empty());
  EXPECT_EQ(again[0].framework, world.framework_id);
  EXPECT_EQ(again[0].secret, world.secret);
}

TEST(Session, AnIdThatIsGivenUpTakesItsSecretAlong) {
  SessionWorld world;
  world.subscribe();
  world.sent();
  world.refuse(ErrorCode::unknown_framework);
  world.pass(1s);
  const auto fresh = world.sent_of<Subscribe>();
  ASSERT_FALSE(fresh.empty());
  EXPECT_EQ(fresh[0].secret, Secret{});
}

TEST(Session, ARepeatedSubscribedChangesNothing) {
  SessionWorld world;
  world.subscribe();
  world.offer_slots(1);
  world.deliver(world.envelope(Subscribed{world.framework_id, 1, 1s, ""}));
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("started", "subscribed", "offers 1"));
}

TEST(Session, AnotherClusterIsRefusedForGood) {
  SessionWorld world;
  world.subscribe();
  world.cluster = {{8, 8}};
  world.say(Heartbeat{});
  EXPECT_TRUE(world.framework.finished());
  EXPECT_THAT(world.scheduler.log.back(), HasSubstr("another cluster"));
}

TEST(Session, ARefusalForGoodAtSubscribeFailsAndFinishes) {
  for (const auto code : {ErrorCode::unknown_pool, ErrorCode::name_in_use, ErrorCode::version,
                          ErrorCode::invalid, ErrorCode::refused, ErrorCode::wrong_cluster}) {
    SessionWorld world;
    world.step(TimePassed{});
    world.refuse(code, "there is no pool research");
    EXPECT_TRUE(world.framework.finished()) << to_string(code);
    EXPECT_THAT(world.scheduler.take_log(), ElementsAre("started", "failed there is no pool research"));
    EXPECT_EQ(world.framework.next_deadline(), std::nullopt);
  }
}

TEST(Session, ARefusalThatPassesIsTriedAgain) {
  SessionWorld world;
  world.step(TimePassed{});
  world.refuse(ErrorCode::slow_down);
  EXPECT_FALSE(world.framework.finished());
  ASSERT_TRUE(world.framework.refused());
  EXPECT_EQ(world.framework.refused()->code, ErrorCode::slow_down);
  world.sent();
  world.pass(1s);
  EXPECT_FALSE(world.sent_of<Subscribe>().empty());
}

TEST(Session, ASubscribeThatNamedAnEarlierEpochIsTriedAgainWithTheNewOne) {
  SessionWorld world;
  world.subscribe();
  world.lose_connection();
  world.pass(1s);
  world.sent();
  world.epoch = {2};
  world.refuse(ErrorCode::wrong_cluster, "an epoch before ours");
  EXPECT_FALSE(world.framework.finished());
  const auto again = world.sent_to(kAllocatorPeer);
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again[0].epoch, Epoch{2});
}

TEST(Session, ALateComplaintAboutAnEarlierEpochDoesNotEndIt) {
  SessionWorld world;
  world.subscribe();
  world.lose_connection();
  world.pass(1s);
  world.epoch = {2};
  world.refuse(ErrorCode::wrong_cluster, "an epoch before ours");
  world.sent();
  world.refuse(ErrorCode::wrong_cluster, "an epoch before ours");  // about an acknowledgement of long ago
  EXPECT_FALSE(world.framework.finished());
  world.pass(20s);
  EXPECT_FALSE(world.sent_of<Subscribe>().empty());
}

TEST(Session, AComplaintAboutSomethingElseIsNoRefusalOfTheSubscribe) {
  for (const auto code : {ErrorCode::not_found, ErrorCode::invalid, ErrorCode::wrong_cluster}) {
    SessionWorld world;
    world.subscribe();
    world.epoch = {2};
    world.deliver(
        {world.cluster, world.epoch, {}, 0, ErrorMessage{{ErrorCode::wrong_cluster, "began anew"}, 7}});
    world.deliver({world.cluster, world.epoch, {}, 0, ErrorMessage{{code, "about a message of before"}, 8}});
    EXPECT_FALSE(world.framework.finished()) << to_string(code);
    world.sent();
    world.pass(20s);
    EXPECT_FALSE(world.sent_of<Subscribe>().empty()) << to_string(code);
  }
}

TEST(Session, ALateComplaintAboutAMessageOfAFormerSessionDoesNotEndIt) {
  SessionWorld world;
  world.subscribe();
  world.lose_connection();
  for (const auto code : {ErrorCode::not_found, ErrorCode::invalid, ErrorCode::refused}) {
    world.deliver({world.cluster, world.epoch, world.session, 0, ErrorMessage{{code, "no such task"}, 3}});
    EXPECT_FALSE(world.framework.finished()) << to_string(code);
  }
  world.epoch = {2};  // of which it learns by this, and it has named none in its hello
  world.deliver(
      {world.cluster, world.epoch, world.session, 0, ErrorMessage{{ErrorCode::wrong_cluster, "no"}, 3}});
  EXPECT_FALSE(world.framework.finished());
  world.deliver(
      {world.cluster, world.epoch, world.session, 0, ErrorMessage{{ErrorCode::slow_down, "no"}, 4}});
  EXPECT_FALSE(world.framework.refused()) << "it is taken as soon as it asks";
  world.subscribe();
  EXPECT_TRUE(world.framework.subscribed());
}

TEST(Session, AFrameworkThatTheAllocatorForgotReportsItsTasksLostAndBeginsAnew) {
  SessionWorld world;
  world.subscribe();
  world.run("t2");
  world.run("t1");
  world.offer_slots(7);
  world.launch(7, "t3");  // never answered
  world.scheduler.take_log();
  world.lose_connection();
  world.pass(1s);
  world.sent();
  world.refuse(ErrorCode::unknown_framework);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("disconnected", "t1 LOST framework-gone",
                                                      "t2 LOST framework-gone", "t3 LOST framework-gone"));
  const auto anew = world.sent_of<Subscribe>();
  ASSERT_THAT(anew, SizeIs(1));
  EXPECT_TRUE(anew[0].framework.value.is_nil());
  world.framework_id = {{0, 10}};
  world.subscribe();
  EXPECT_TRUE(world.framework.subscribed());
  EXPECT_THAT(world.sent(), IsEmpty());  // nothing of the former framework is asked for again
}

TEST(Session, AnAnswerUnderAnotherIdMeansThatTheFormerFrameworkIsGone) {
  SessionWorld world;
  world.subscribe();
  world.run("t1");
  world.lose_connection();
  world.pass(1s);
  world.framework_id = {{0, 11}};
  world.subscribe();
  EXPECT_THAT(world.scheduler.take_log(),
              ElementsAre("disconnected", "t1 LOST framework-gone", "subscribed"));
}

TEST(Session, AnErrorAboutAMessageIsTracedAndNothingElse) {
  SessionWorld world;
  world.subscribe();
  world.actions.clear();
  world.say(ErrorMessage{{ErrorCode::slow_down, "too fast"}, 12});
  ASSERT_THAT(world.actions, SizeIs(1));
  const auto& trace = std::get<MessageRefused>(std::get<Emit>(world.actions[0]).trace);
  EXPECT_EQ(trace.type, "message 12");
  EXPECT_EQ(trace.code, ErrorCode::slow_down);
  EXPECT_TRUE(world.framework.subscribed());
}

TEST(Session, AStopWithoutASessionWaitsForOneToTearDown) {
  SessionWorld world;
  world.subscribe();
  world.lose_connection();
  world.call([](Driver& driver) { driver.stop(); });
  EXPECT_FALSE(world.framework.finished());
  EXPECT_TRUE(world.framework.leaving());
  world.pass(10s);
  EXPECT_FALSE(world.sent_of<Subscribe>().empty());
  world.scheduler.take_log();
  world.subscribe();
  EXPECT_THAT(world.sent_names(), ::testing::Contains("TEARDOWN"));
  EXPECT_TRUE(world.framework.finished());
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty()) << "of no interest to it any more";
}

TEST(Session, WhoIsEndedByItsWorldTearsDown) {
  SessionWorld world;
  world.subscribe();
  world.sent();
  world.framework.end();
  world.step(TimePassed{});
  EXPECT_THAT(world.sent_names(), ElementsAre("TEARDOWN"));
  EXPECT_TRUE(world.framework.finished());
}

TEST(Session, WhoIsEndedBeforeItWasAdmittedHasFinished) {
  SessionWorld world;
  world.step(TimePassed{});
  world.framework.end();
  world.step(TimePassed{});
  EXPECT_TRUE(world.framework.finished());
}

TEST(Session, WhoLeavesAndIsNotKnownAnyMoreHasFinished) {
  SessionWorld world;
  world.subscribe();
  world.lose_connection();
  world.framework.end();
  world.step(TimePassed{});
  world.refuse(ErrorCode::unknown_framework);
  EXPECT_TRUE(world.framework.finished());
}

TEST(Session, ItsTasksOutliveALostSessionByTenMinutes) {
  SessionWorld world;
  world.step(TimePassed{});
  EXPECT_EQ(world.sent_of<Subscribe>().at(0).failover_timeout, std::chrono::minutes(10));
}

TEST(Session, StopTearsDownAndEndsEverything) {
  SessionWorld world;
  world.subscribe();
  world.sent();
  world.call([](Driver& driver) {
    driver.revive();
    driver.stop();
    driver.revive();
  });
  EXPECT_THAT(world.sent_names(), ElementsAre("REVIVE", "TEARDOWN"));
  EXPECT_TRUE(world.framework.finished());
  world.scheduler.take_log();
  world.offer_slots(1);
  world.pass(60s);
  EXPECT_THAT(world.sent(), IsEmpty());
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
}

TEST(Session, StopWithoutASessionFinishesAtOnce) {
  SessionWorld world;
  world.step(TimePassed{});
  world.call([](Driver& driver) { driver.stop(); });
  EXPECT_TRUE(world.framework.finished());
}

TEST(Session, TwoSeedsSpreadTheirRetries) {
  const auto second_try = [](std::uint64_t seed) {
    RecordingScheduler scheduler;
    Framework framework(config_for_tests(), scheduler, Random(seed));
    Actions actions;
    framework.step(TimePassed{}, actions, at(0s));
    return *framework.next_deadline();
  };
  EXPECT_NE(second_try(1), second_try(2));
  EXPECT_EQ(second_try(1), second_try(1));
  EXPECT_LE(second_try(1), at(200ms));
}

}  // namespace
}  // namespace proffer::testing
