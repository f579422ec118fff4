#include "tests/agent/stage.hpp"

namespace proffer::agent_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Registration, TheFirstStepRegistersWithoutIdSessionOrCluster) {
  Stage stage;
  EXPECT_EQ(stage.agent().next_deadline(), Time{});
  stage.step(TimePassed{});
  const auto sent = stage.envelopes<Register>();
  ASSERT_THAT(sent, SizeIs(1));
  EXPECT_EQ(sent[0].session, SessionId{});
  EXPECT_TRUE(sent[0].cluster.value.is_nil());
  EXPECT_EQ(std::get<Register>(sent[0].message),
            (Register{{}, 1, "a1", "r1", "tcp://h:1", Resources{{kMap, 2}}, {}}));
}

TEST(Registration, AnUnansweredRegisterIsRepeatedLessAndLessOften) {
  Stage stage;
  stage.step(TimePassed{});
  const auto early = (stage.pass(seconds(10)), stage.sent<Register>().size());
  stage.pass(seconds(100));
  const auto late = (stage.pass(seconds(10)), stage.sent<Register>().size());
  EXPECT_GE(early, 3u);
  EXPECT_LT(late, early);
  EXPECT_GE((stage.pass(seconds(10)), stage.sent<Register>().size()), 1u) << "the most is 10 s";
}

TEST(Registration, RegisteredOpensASessionInWhichMessagesAreNumbered) {
  Stage stage;
  stage.join();
  EXPECT_TRUE(stage.agent().registered());
  EXPECT_EQ(stage.agent().id(), kAgent);
  stage.pass_alive(seconds(2));
  const auto beats = stage.envelopes<Heartbeat>();
  ASSERT_THAT(beats, SizeIs(2));
  EXPECT_EQ(beats[0].session, kSession);
  EXPECT_EQ(beats[0].cluster, kCluster);
  EXPECT_EQ(beats[0].epoch, Epoch{3});
  EXPECT_EQ(beats[0].seq + 1, beats[1].seq);
  EXPECT_THAT(stage.sent<Register>(), IsEmpty());
}

TEST(Registration, WithoutHeartbeatsNobodyIsEverSilent) {
  Stage stage;
  stage.join({kAgent, Duration::zero(), "", {}});
  stage.pass(std::chrono::hours(1));
  EXPECT_THAT(stage.actions(), IsEmpty());
  EXPECT_FALSE(stage.agent().next_deadline());
}

TEST(Registration, ASilentAllocatorIsRegisteredWithAgainUnderTheSameId) {
  Stage stage;
  stage.join();
  stage.pass(milliseconds(9999));
  EXPECT_TRUE(stage.agent().registered());
  stage.pass(seconds(5));
  EXPECT_FALSE(stage.agent().registered());
  const auto sent = stage.envelopes<Register>();
  ASSERT_FALSE(sent.empty());
  EXPECT_EQ(sent[0].cluster, kCluster);
  EXPECT_EQ(sent[0].session, SessionId{});
  EXPECT_EQ(std::get<Register>(sent[0].message).agent, kAgent);
}

TEST(Registration, APauseOfOurOwnIsNotTheAllocatorsSilence) {
  Stage stage;
  stage.join();
  stage.sleep(seconds(60));
  stage.step(TimePassed{});
  EXPECT_TRUE(stage.agent().registered());
  stage.pass(seconds(11));
  EXPECT_FALSE(stage.agent().registered());
}

TEST(Registration, RunningTasksLiveOnAndAreNamedWhenTheSessionIsLost) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.launch(2, "m2");
  stage.step(PeerLost{kAllocatorPeer});
  EXPECT_THAT(stage.signals(), IsEmpty());
  stage.pass(milliseconds(200));
  const auto sent = stage.sent<Register>();
  ASSERT_FALSE(sent.empty());
  const Resources one{{kMap, 1}};
  EXPECT_THAT(sent[0].tasks,
              ElementsAre(AgentTask{kFramework, {"m1"}, launch_id(1), TaskState::running, 1, one},
                          AgentTask{kFramework, {"m2"}, launch_id(2), TaskState::starting, 0, one}));
}

TEST(Registration, AnEndThatWasNotAcknowledgedIsNamedWithoutResources) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.exits(1);
  stage.step(PeerLost{kAllocatorPeer});
  stage.pass(milliseconds(200));
  ASSERT_FALSE(stage.sent<Register>().empty());
  EXPECT_THAT(stage.sent<Register>()[0].tasks,
              ElementsAre(AgentTask{kFramework, {"m1"}, launch_id(1), TaskState::finished, 2, {}}));
}

TEST(Registration, UnknownSessionMeansRegisterAgain) {
  Stage stage;
  stage.join();
  stage.receive({}, ErrorMessage{{ErrorCode::unknown_session, "who are you?"}, 4});
  EXPECT_FALSE(stage.agent().registered());
  EXPECT_THAT(stage.refusals(), ElementsAre("message 4 unknown-session"));
  stage.pass(milliseconds(200));
  EXPECT_FALSE(stage.sent<Register>().empty());
}

TEST(Registration, OtherErrorsInASessionAreTracedOnly) {
  Stage stage;
  stage.join();
  stage.receive(ErrorMessage{{ErrorCode::name_in_use, "late answer to a second REGISTER"}, 0});
  EXPECT_TRUE(stage.agent().registered());
  EXPECT_FALSE(stage.agent().refused());
  EXPECT_THAT(stage.refusals(), ElementsAre("message 0 name-in-use"));
}

TEST(Registration, ALaterEpochMeansRegisterAgain) {
  Stage stage;
  stage.join();
  stage.new_epoch();
  stage.receive(Heartbeat{});
  EXPECT_FALSE(stage.agent().registered());
  stage.pass(milliseconds(200));
  ASSERT_FALSE(stage.envelopes<Register>().empty());
  EXPECT_EQ(stage.envelopes<Register>()[0].epoch, Epoch{4});
}

TEST(Registration, MessagesOfAnEarlierEpochOrAnotherSessionHaveNoEffect) {
  Stage stage;
  stage.join();
  stage.receive_as({kCluster, Epoch{2}, kSession, 9, Stage::launch_of(1, "m1")});
  EXPECT_THAT(stage.actions(), IsEmpty());
  stage.receive(SessionId{5}, Stage::launch_of(1, "m1"));
  EXPECT_THAT(stage.actions(), IsEmpty());
}

TEST(Registration, ARefusalIsSeenUntilItPasses) {
  Stage stage;
  stage.step(TimePassed{});
  stage.receive({}, ErrorMessage{{ErrorCode::name_in_use, "there is an a1"}, 0});
  ASSERT_TRUE(stage.agent().refused());
  EXPECT_EQ(stage.agent().refused()->message, "there is an a1");
  EXPECT_FALSE(stage.agent().registered());
  stage.join();
  EXPECT_FALSE(stage.agent().refused());
}

TEST(Registration, ErrorsThatPassAreNoRefusal) {
  Stage stage;
  stage.step(TimePassed{});
  stage.receive({}, ErrorMessage{{ErrorCode::io, "later"}, 0});
  EXPECT_FALSE(stage.agent().refused());
}

TEST(Registration, AFullClusterIsARefusalUntilItHasRoom) {
  Stage stage;
  stage.step(TimePassed{});
  stage.receive({}, ErrorMessage{{ErrorCode::slow_down, "the cluster is full"}, 0});
  ASSERT_TRUE(stage.agent().refused());
  EXPECT_EQ(stage.agent().refused()->message, "the cluster is full");
  stage.join();
  EXPECT_FALSE(stage.agent().refused());
}

TEST(Registration, AnotherClusterIsRefused) {
  Stage stage;
  stage.join();
  stage.step(PeerLost{kAllocatorPeer});
  Envelope foreign{ClusterId{Bits128{8, 8}}, Epoch{9}, SessionId{77}, 1, Registered{kAgent, {}, "", {}}};
  stage.receive_as(foreign);
  EXPECT_FALSE(stage.agent().registered());
  EXPECT_THAT(stage.refusals(), ElementsAre("REGISTERED wrong-cluster"));
  EXPECT_EQ(stage.agent().refused()->code, ErrorCode::wrong_cluster);
  stage.join();
  EXPECT_TRUE(stage.agent().registered()) << "its epoch is not ours";
}

TEST(Registration, AWrongEpochIsCorrectedAtOnce) {
  Stage stage;
  stage.join();
  stage.step(PeerLost{kAllocatorPeer});
  stage.pass(seconds(60));
  stage.new_epoch();
  stage.receive({}, ErrorMessage{{ErrorCode::wrong_cluster, "that was my former life"}, 0});
  EXPECT_FALSE(stage.agent().refused());
  ASSERT_THAT(stage.envelopes<Register>(), SizeIs(1));
  EXPECT_EQ(stage.envelopes<Register>()[0].epoch, Epoch{4});
}

TEST(Registration, ALateComplaintAboutAnEarlierEpochIsNoRefusal) {
  Stage stage;
  stage.join();
  stage.step(PeerLost{kAllocatorPeer});
  stage.pass(seconds(60));
  stage.new_epoch();
  stage.receive({}, ErrorMessage{{ErrorCode::wrong_cluster, "that was my former life"}, 0});
  stage.receive({}, ErrorMessage{{ErrorCode::wrong_cluster, "that was my former life"}, 0});
  stage.receive({}, ErrorMessage{{ErrorCode::invalid, "about a status of before"}, 5});
  EXPECT_FALSE(stage.agent().refused());
}

TEST(Registration, RegisteredWithoutSessionOrIdHasNoEffect) {
  Stage stage;
  stage.step(TimePassed{});
  stage.receive({}, Registered{kAgent, seconds(1), "", {}});
  stage.receive(kSession, Registered{{}, seconds(1), "", {}});
  EXPECT_FALSE(stage.agent().registered());
  EXPECT_THAT(stage.refusals(), ElementsAre("REGISTERED invalid"));
}

TEST(Registration, LaunchesThatAreNotWantedAnyMoreAreEnded) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.run(2, "m2");
  stage.step(PeerLost{kAllocatorPeer});
  stage.join({kAgent, seconds(1), "", {launch_id(2), launch_id(99)}}, SessionId{12});
  EXPECT_THAT(stage.signals(), ElementsAre("terminate 2"));
  stage.pass_alive(seconds(5));
  EXPECT_THAT(stage.signals(), ElementsAre("kill 2"));
  stage.exits(2, {0, 9});
  EXPECT_THAT(stage.statuses(), ElementsAre("m2 2 KILLED framework-gone"));
}

TEST(Registration, WhatAnAgentDoesNotTakeIsAnsweredWithAnError) {
  Stage stage;
  stage.join();
  stage.receive(Suppress{});
  ASSERT_THAT(stage.sent<ErrorMessage>(), SizeIs(1));
  EXPECT_EQ(stage.sent<ErrorMessage>()[0].error.code, ErrorCode::type);
  EXPECT_THAT(stage.refusals(), ElementsAre("SUPPRESS type"));
}

}  // namespace
}  // namespace proffer::agent_test
