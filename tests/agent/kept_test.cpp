// What an agent keeps, and what its next life makes of it.
#include "agent/launch_history.hpp"
#include "tests/agent/stage.hpp"

namespace proffer::agent_test {
namespace {

using agent::LaunchHistory;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// The next life of an agent that ended without a word.
Stage next_life(const Stage& former, const std::string& boot = "b1", std::int64_t slots = 2) {
  auto settings = Stage::config(slots);
  settings.id = kAgent;
  settings.run = 2;
  settings.boot = boot;
  return Stage(settings, {}, former.kept());
}

struct FirstLife : Stage {
  FirstLife() : Stage(settings()) { join(); }
  static AgentConfig settings() {
    auto config = Stage::config();
    config.boot = "b1";
    return config;
  }
};

TEST(Kept, ALaunchIsKeptBeforeItIsAcknowledgedAndStarted) {
  FirstLife stage;
  stage.launch(1, "m1");
  EXPECT_THAT(stage.order(), ElementsAre("keep", "LAUNCH_ACK", "start"));
  ASSERT_THAT(stage.kept_of<KeptLaunch>(), SizeIs(1));
  const auto kept = stage.kept_of<KeptLaunch>()[0];
  EXPECT_EQ(kept.task, TaskId{"m1"});
  EXPECT_EQ(kept.seq, 0u);
  EXPECT_FALSE(kept.ended);
}

TEST(Kept, ALaunchThatIsRefusedIsKeptAsEnded) {
  FirstLife stage;
  stage.launch(1, "m1", 3);
  EXPECT_THAT(stage.order(), ElementsAre("keep", "LAUNCH_ACK", "STATUS"));
  ASSERT_THAT(stage.kept_of<KeptLaunch>(), SizeIs(1));
  EXPECT_TRUE(stage.kept_of<KeptLaunch>()[0].ended);
}

TEST(Kept, AStatusIsKeptBeforeItIsSentAndUntilItIsAcknowledged) {
  FirstLife stage;
  stage.launch(1, "m1");
  stage.started(1);
  EXPECT_THAT(stage.order(), ElementsAre("keep", "STATUS"));
  EXPECT_THAT(stage.kept_of<KeptLaunch>()[0].statuses, SizeIs(1));
  stage.acknowledge("m1", 1);
  EXPECT_THAT(stage.kept_of<KeptLaunch>()[0].statuses, IsEmpty());
  stage.exits(1);
  EXPECT_THAT(stage.order(), ElementsAre("keep", "STATUS"));
  stage.acknowledge("m1", 2);
  EXPECT_THAT(stage.order(), ElementsAre("keep", "settle"));
  const auto kept = stage.kept_of<KeptLaunch>()[0];
  EXPECT_TRUE(kept.ended);
  EXPECT_THAT(kept.statuses, IsEmpty());
  EXPECT_EQ(kept.settled, 1u);
}

TEST(Kept, SomebodysWishThatATaskEndsIsKeptBeforeItsSignal) {
  FirstLife stage;
  stage.run(1, "m1");
  stage.kill("m1");
  EXPECT_THAT(stage.order(), ElementsAre("keep", "signal"));
  EXPECT_EQ(stage.kept_of<KeptLaunch>()[0].end_asked, TaskReason::kill_requested);
}

TEST(Kept, TheRecordOfTheLaunchThatWasSettledLongestAgoIsDropped) {
  std::vector<Kept> kept;
  for (std::uint64_t n = 1; n <= LaunchHistory::kRemembered; ++n) {
    KeptLaunch launch;
    launch.launch = launch_id(n);
    launch.framework = kFramework;
    launch.task = {"t" + std::to_string(n)};
    launch.ended = true;
    launch.settled = LaunchHistory::kRemembered + 1 - n;  // the last was settled first
    kept.emplace_back(std::move(launch));
  }
  Stage stage(Stage::config(), {}, std::move(kept));
  stage.join();
  stage.launch(20'000, "new", 3);
  stage.acknowledge("new", 1);
  ASSERT_THAT(stage.did<DropRecord>(), SizeIs(1));
  EXPECT_EQ(stage.did<DropRecord>()[0].key, key_of(launch_id(LaunchHistory::kRemembered)));
  EXPECT_THAT(stage.order(), ElementsAre("keep", "drop", "settle"));
  stage.launch(1, "t1");
  EXPECT_THAT(stage.order(), ElementsAre("LAUNCH_ACK")) << "it is remembered";
}

TEST(NextLife, DoesNotRegisterBeforeItIsKnownWhatBecameOfItsRuns) {
  FirstLife former;
  former.run(1, "m1");
  auto stage = next_life(former);
  stage.pass(seconds(60));
  EXPECT_THAT(stage.sent<Register>(), IsEmpty());
  EXPECT_FALSE(stage.agent().next_deadline());
  stage.lists({1});
  ASSERT_THAT(stage.sent<Register>(), SizeIs(1));
  EXPECT_THAT(
      stage.sent<Register>()[0].tasks,
      ElementsAre(AgentTask{kFramework, {"m1"}, launch_id(1), TaskState::running, 1, Resources{{kMap, 1}}}));
  EXPECT_EQ(stage.sent<Register>()[0].boot, "b1");
}

TEST(NextLife, WithoutRunsItRegistersAtOnce) {
  FirstLife former;
  former.run(1, "m1");
  former.exits(1);
  auto stage = next_life(former);
  stage.step(TimePassed{});
  EXPECT_THAT(stage.sent<Register>(), SizeIs(1));
}

TEST(NextLife, ARunThatLivesGoesOnAndIsNotStartedAgain) {
  FirstLife former;
  former.run(1, "m1");
  auto stage = next_life(former);
  const auto listed_at = stage.now();
  stage.lists({1});
  EXPECT_THAT(stage.signals(), IsEmpty());
  stage.join();
  EXPECT_THAT(stage.statuses(), IsEmpty()) << "RUNNING was acknowledged";
  stage.launch(1, "m1");
  EXPECT_THAT(stage.order(), ElementsAre("LAUNCH_ACK"));
  stage.sleep(seconds(2));
  stage.exits(1, {3, 0});
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 FAILED exit"));
  EXPECT_EQ(stage.sent<Status>()[0].status.run_time, seconds(3) + (stage.now() - listed_at));
}

TEST(NextLife, TakesItsSlotsUntilItEnds) {
  FirstLife former;
  former.run(1, "m1");
  auto stage = next_life(former, "b1", 1);
  stage.lists({1});
  stage.join();
  stage.launch(2, "m2");
  EXPECT_THAT(stage.statuses(), ElementsAre("m2 1 REJECTED agent-refused"));
  stage.exits(1);
  stage.launch(3, "m3");
  EXPECT_THAT(stage.did<StartRun>(), SizeIs(1));
}

TEST(NextLife, WithFewerSlotsItsRunsLiveOnAllTheSame) {
  FirstLife former;
  former.run(1, "m1");
  former.run(2, "m2");
  auto stage = next_life(former, "b1", 1);
  stage.lists({1, 2});
  stage.join();
  stage.exits(1);
  stage.launch(3, "m3");
  EXPECT_THAT(stage.did<StartRun>(), IsEmpty());
  EXPECT_THAT(stage.statuses(), Contains("m3 1 REJECTED agent-refused"));
}

TEST(NextLife, ARunWhoseStartNobodyHasHeardOfIsSaidToRun) {
  FirstLife former;
  former.launch(1, "m1");
  auto stage = next_life(former);
  stage.lists({1});
  stage.join();
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 1 RUNNING none"));
}

TEST(NextLife, TheEndOfARunThatEndedMeanwhileIsToldAsItWas) {
  FirstLife former;
  former.run(1, "m1");
  auto stage = next_life(former);
  RunExited exited{launch_id(1), {7, 0}, nullptr, ""};
  exited.ran = seconds(9);
  stage.lists({}, {exited});
  stage.join();
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 FAILED exit"));
  EXPECT_EQ(stage.sent<Status>()[0].status.exit.code, 7);
  EXPECT_EQ(stage.sent<Status>()[0].status.run_time, seconds(9));
}

TEST(NextLife, StatusesThatWereNotAcknowledgedAreSentAgainUnderTheirNumbers) {
  FirstLife former;
  former.run(1, "m1");
  former.exits(1, {0, 11});
  former.launch(2, "m2");
  former.started(2);
  auto stage = next_life(former);
  stage.lists({2});
  stage.join();
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 FAILED signal", "m2 1 RUNNING none"));
  stage.acknowledge("m1", 2);
  EXPECT_THAT(stage.did<SettleRun>(), SizeIs(1));
}

TEST(NextLife, StatusesOfTwoLaunchesOfATaskKeepTheirOrder) {
  FirstLife former;
  former.run(1, "m1");
  former.launch(2, "m1");
  former.exits(1);
  auto stage = next_life(former);
  stage.join();
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 REJECTED duplicate-id"));
  stage.acknowledge("m1", 2);
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 3 FINISHED exit"));
  EXPECT_EQ(stage.sent<Status>()[0].launch, launch_id(1));
}

TEST(NextLife, ALaunchThatWasNeverStartedIsDropped) {
  FirstLife former;
  former.launch(1, "m1");
  auto stage = next_life(former);
  stage.lists({});
  stage.join();
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 1 DROPPED never-arrived"));
}

TEST(NextLife, ARunThatRanAndOfWhichNothingIsLeftIsLost) {
  FirstLife former;
  former.run(1, "m1");
  auto stage = next_life(former);
  stage.lists({});
  stage.join();
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 LOST agent-lost"));
  EXPECT_THAT(stage.sent<Status>()[0].status.message, ::testing::HasSubstr("vanished"));
}

TEST(NextLife, AKillThatWasAskedForIsAskedAgain) {
  FirstLife former;
  former.run(1, "m1");
  former.kill("m1");
  auto stage = next_life(former);
  stage.lists({1});
  EXPECT_THAT(stage.signals(), ElementsAre("terminate 1"));
  stage.pass(seconds(5));
  EXPECT_THAT(stage.signals(), ElementsAre("kill 1"));
  stage.join();
  stage.exits(1, {0, 9});
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 KILLED kill-requested"));
}

TEST(NextLife, AKilledRunThatEndedMeanwhileWasKilled) {
  FirstLife former;
  former.run(1, "m1");
  former.kill("m1");
  auto stage = next_life(former);
  stage.lists({}, {RunExited{launch_id(1), {0, 15}, nullptr, ""}});
  stage.join();
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 KILLED kill-requested"));
}

TEST(NextLife, AfterARebootOfTheHostAllRunsAreLostAtOnce) {
  FirstLife former;
  former.run(1, "m1");
  former.launch(2, "m2");
  auto stage = next_life(former, "b2");
  stage.step(TimePassed{});
  ASSERT_THAT(stage.sent<Register>(), SizeIs(1));
  EXPECT_EQ(stage.sent<Register>()[0].boot, "b2");
  EXPECT_THAT(stage.kept_of<KeptBoot>(), ElementsAre(KeptBoot{"b2"}));
  stage.join();
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 LOST host-reboot", "m2 1 LOST host-reboot"));
  auto third = next_life(stage, "b2");
  third.join();
  EXPECT_THAT(third.statuses(), ElementsAre("m1 2 LOST host-reboot", "m2 1 LOST host-reboot"));
}

TEST(NextLife, ARunThatNobodyKnowsIsKilledBeforeItsSlotIsOffered) {
  FirstLife former;
  former.run(1, "m1");
  auto stage = next_life(former);
  stage.lists({1, 8});
  EXPECT_THAT(stage.signals(), ElementsAre("kill 8"));
  EXPECT_THAT(stage.sent<Register>(), IsEmpty());
  stage.exits(8, {0, 9});
  EXPECT_THAT(stage.did<SettleRun>(), SizeIs(1));
  EXPECT_THAT(stage.sent<Register>(), SizeIs(1));
}

TEST(NextLife, ARunThatEndsBeforeTheListIsToldOnce) {
  FirstLife former;
  former.run(1, "m1");
  auto stage = next_life(former);
  const RunExited exited{launch_id(1), {4, 0}, nullptr, ""};
  stage.step(exited);
  EXPECT_THAT(stage.sent<Register>(), IsEmpty()) << "there may be runs that nobody knows";
  stage.lists({}, {exited});
  stage.join();
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 FAILED exit"));
}

TEST(NextLife, NoSessionIsOpenedBeforeItsSlotsAreKnownToBeFree) {
  FirstLife former;
  former.run(1, "m1");
  auto stage = next_life(former);
  stage.receive(Registered{kAgent, seconds(1), "", {}});
  EXPECT_FALSE(stage.agent().registered());
}

TEST(NextLife, RunsOfThisLifeAreNoConcernOfTheList) {
  FirstLife former;
  auto stage = next_life(former);
  stage.join();
  stage.run(1, "m1");
  stage.run(2, "m2");
  stage.lists({1});
  EXPECT_THAT(stage.actions(), IsEmpty());
  stage.exits(2);
  EXPECT_THAT(stage.statuses(), ElementsAre("m2 2 FINISHED exit"));
}

TEST(NextLife, TheRestOfASettledRunIsSettledAgain) {
  FirstLife former;
  former.run(1, "m1");
  former.exits(1);
  former.acknowledge("m1", 2);
  auto stage = next_life(former);
  stage.lists({}, {RunExited{launch_id(1), {}, nullptr, ""}});
  EXPECT_THAT(stage.did<SettleRun>(), SizeIs(1)) << "the crash may have swallowed the first";
  EXPECT_THAT(stage.did<KeepRecord>(), IsEmpty());
}

TEST(NextLife, TheJobsOfTasksAreNamed) {
  FirstLife former;
  auto launch = Stage::launch_of(1, "m1");
  launch.task.job = JobId{4};
  former.receive(launch);
  auto stage = next_life(former);
  stage.lists({1});
  ASSERT_THAT(stage.sent<Register>(), SizeIs(1));
  EXPECT_EQ(stage.sent<Register>()[0].tasks[0].job, JobId{4});
}

TEST(KeptServer, AnotherClusterIsRefusedOverARestartAndItIsSaidWhatToDo) {
  FirstLife former;
  auto stage = next_life(former);
  stage.step(TimePassed{});
  ASSERT_THAT(stage.envelopes<Register>(), SizeIs(1));
  EXPECT_EQ(stage.envelopes<Register>()[0].cluster, kCluster);
  EXPECT_EQ(stage.envelopes<Register>()[0].epoch, Epoch{3});
  const ClusterId other{Bits128{8, 8}};
  stage.receive_as({other, Epoch{9}, kSession, 1, Registered{kAgent, seconds(1), "", {}}});
  EXPECT_FALSE(stage.agent().registered());
  ASSERT_TRUE(stage.agent().refused());
  EXPECT_EQ(stage.agent().refused()->code, ErrorCode::wrong_cluster);
  EXPECT_THAT(stage.agent().refused()->message, ::testing::HasSubstr("--adopt"));
}

TEST(KeptServer, AnEarlierLifeOfTheAllocatorIsNeverBelieved) {
  FirstLife former;
  auto stage = next_life(former);
  stage.step(TimePassed{});
  stage.receive_as({kCluster, Epoch{2}, kSession, 1, Registered{kAgent, seconds(1), "", {}}});
  EXPECT_FALSE(stage.agent().registered());
  stage.receive_as({kCluster, Epoch{4}, kSession, 1, Registered{kAgent, seconds(1), "", {}}});
  EXPECT_TRUE(stage.agent().registered());
  EXPECT_EQ(stage.kept_of<KeptServer>()[0].epoch, Epoch{4});
}

TEST(KeptServer, ATwinOfTheAllocatorIsRefusedAndTheFirstIsKept) {
  Stage first(FirstLife::settings());
  first.join({kAgent, seconds(1), "", {}, {}, 77});
  auto stage = next_life(first);
  stage.step(TimePassed{});
  stage.receive(Registered{kAgent, seconds(1), "", {}, {}, 78});
  EXPECT_FALSE(stage.agent().registered());
  ASSERT_TRUE(stage.agent().refused());
  EXPECT_EQ(stage.agent().refused()->code, ErrorCode::split_brain);
  stage.receive(Registered{kAgent, seconds(1), "", {}, {}, 77});
  EXPECT_TRUE(stage.agent().registered());
  stage.receive(SessionId{99}, Registered{kAgent, seconds(1), "", {}, {}, 78});
  stage.receive(Stage::launch_of(1, "m1"));
  EXPECT_THAT(stage.did<StartRun>(), SizeIs(1)) << "the session with the first is open";
}

TEST(KeptServer, AnAgentThatIsToAdoptAnotherClusterEndsItsTasksFirst) {
  FirstLife former;
  former.run(1, "m1");
  former.run(2, "m2");
  former.exits(2);
  auto settings = FirstLife::settings();
  settings.id = kAgent;
  settings.adopt = true;
  Stage stage(settings, {}, former.kept());
  stage.lists({1});
  EXPECT_THAT(stage.signals(), IsEmpty()) << "the allocator may be the same";
  const ClusterId other{Bits128{8, 8}};
  stage.receive_as({other, Epoch{1}, {}, 0, ErrorMessage{{ErrorCode::wrong_cluster, "another cluster"}, 0}});
  EXPECT_THAT(stage.signals(), ElementsAre("kill 1"));
  EXPECT_THAT(stage.sent<Register>(), IsEmpty());
  stage.exits(1, {0, 9});
  ASSERT_THAT(stage.envelopes<Register>(), SizeIs(1));
  EXPECT_TRUE(stage.envelopes<Register>()[0].cluster.value.is_nil());
  EXPECT_THAT(stage.sent<Register>()[0].tasks, IsEmpty());
  stage.receive_as({other, Epoch{1}, kSession, 1, Registered{kAgent, seconds(1), "", {}}});
  EXPECT_TRUE(stage.agent().registered());
  EXPECT_THAT(stage.kept_of<KeptLaunch>(), IsEmpty());
  ASSERT_THAT(stage.kept_of<KeptServer>(), SizeIs(1));
  EXPECT_EQ(stage.kept_of<KeptServer>()[0].cluster, other);
  stage.receive_as({other, Epoch{1}, kSession, 2, Stage::launch_of(1, "m1")});
  EXPECT_THAT(stage.did<StartRun>(), SizeIs(1)) << "another launch with an old number";
}

TEST(KeptServer, AnotherCatalogIsRefusedOverARestart) {
  FirstLife former;
  former.join({kAgent, seconds(1), "tcp://cat:1", {}}, SessionId{12});
  former.welcome();
  auto stage = next_life(former);
  stage.join_with_catalog();
  const ClusterId other{Bits128{8, 8}};
  stage.step(MessageReceived{kCatalogPeer,
                             {other, Epoch{1}, kCatalogSession, 1, CatalogWelcome{"t0ken", seconds(1)}}});
  EXPECT_THAT(stage.refusals(), ElementsAre("CATALOG_WELCOME wrong-cluster"));
  EXPECT_THAT(stage.did<SetStoreToken>(), IsEmpty());
}

struct Gone : FirstLife {
  void is_gone() {
    receive({}, ErrorMessage{{ErrorCode::unknown_session, "who are you?"}, 0});
    pass(milliseconds(200));
    receive({}, ErrorMessage{{ErrorCode::agent_gone, "an operator has declared this agent gone"}, 0});
  }
};

TEST(AgentGone, EndsItsTasksAndComesBackAsANewAgentWhenTheyHaveEnded) {
  Gone stage;
  stage.run(1, "m1");
  stage.run(2, "m2");
  stage.exits(2);
  stage.is_gone();
  EXPECT_THAT(stage.signals(), ElementsAre("kill 1"));
  EXPECT_THAT(stage.sent<Register>(), IsEmpty());
  EXPECT_FALSE(stage.agent().refused());
  EXPECT_THAT(stage.kept_of<KeptLaunch>(), SizeIs(1)) << "it may live yet";
  stage.exits(1, {0, 9});
  ASSERT_THAT(stage.sent<Register>(), SizeIs(1));
  EXPECT_TRUE(stage.sent<Register>()[0].agent.value.is_nil());
  EXPECT_THAT(stage.sent<Register>()[0].tasks, IsEmpty());
  EXPECT_THAT(stage.kept_of<KeptLaunch>(), IsEmpty());
  const AgentId fresh{Bits128{5, 5}};
  stage.join({fresh, seconds(1), "", {}, Secret{Bits128{6, 6}}}, SessionId{12});
  EXPECT_EQ(stage.agent().id(), fresh);
  EXPECT_THAT(stage.statuses(), IsEmpty());
  auto next = next_life(stage);
  next.step(TimePassed{});
  ASSERT_THAT(next.sent<Register>(), SizeIs(1));
  EXPECT_EQ(next.sent<Register>()[0].agent, fresh) << "not the id of its settings, which is gone";
  EXPECT_EQ(next.sent<Register>()[0].secret, Secret{(Bits128{6, 6})});
}

TEST(AgentGone, AsksForANewIdWithItsSecretSoThatAnAnswerWhichIsLostCostsNoId) {
  Gone stage;
  const Secret secret{Bits128{6, 6}};
  stage.join({kAgent, seconds(1), "", {}, secret}, SessionId{12});
  stage.is_gone();
  ASSERT_THAT(stage.sent<Register>(), SizeIs(1));
  EXPECT_TRUE(stage.sent<Register>()[0].agent.value.is_nil());
  EXPECT_EQ(stage.sent<Register>()[0].secret, secret);
}

TEST(AgentGone, ToldTwiceIsGoneOnce) {
  Gone stage;
  stage.is_gone();
  stage.receive({}, ErrorMessage{{ErrorCode::agent_gone, "an operator has declared this agent gone"}, 0});
  EXPECT_FALSE(stage.agent().refused());
  stage.join({AgentId{Bits128{5, 5}}, seconds(1), "", {}}, SessionId{12});
  EXPECT_TRUE(stage.agent().registered());
}

TEST(AgentGone, ACrashWhileItsTasksEndLosesNoneOfThem) {
  Gone former;
  former.run(1, "m1");
  former.is_gone();
  auto stage = next_life(former);
  stage.pass(seconds(10));
  EXPECT_THAT(stage.sent<Register>(), IsEmpty());
  stage.lists({1});
  ASSERT_THAT(stage.sent<Register>(), SizeIs(1));
  EXPECT_EQ(stage.sent<Register>()[0].agent, kAgent);
  stage.receive({}, ErrorMessage{{ErrorCode::agent_gone, "an operator has declared this agent gone"}, 0});
  EXPECT_THAT(stage.signals(), ElementsAre("kill 1"));
}

}  // namespace
}  // namespace proffer::agent_test
