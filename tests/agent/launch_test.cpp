#include "tests/agent/stage.hpp"

#include "proffer/limits.hpp"

namespace proffer::agent_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Launch, IsAcknowledgedAndStarted) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  EXPECT_THAT(stage.sent<LaunchAck>(), ElementsAre(LaunchAck{launch_id(1)}));
  const auto runs = stage.did<StartRun>();
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].launch, launch_id(1));
  EXPECT_EQ(runs[0].framework, kFramework);
  EXPECT_EQ(runs[0].framework_name, "wc");
  EXPECT_EQ(runs[0].task, Stage::launch_of(1, "m1").task);
  EXPECT_THAT(stage.statuses(), IsEmpty());
}

TEST(Launch, ThatIsKnownIsAcknowledgedOnly) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.launch(1, "m1");
  EXPECT_THAT(stage.actions(), SizeIs(1));
  EXPECT_THAT(stage.sent<LaunchAck>(), SizeIs(1));
}

TEST(Launch, ThatHasEndedAndWasSettledIsNotStartedAgain) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.exits(1);
  stage.acknowledge("m1", 2);
  stage.launch(1, "m1");
  EXPECT_THAT(stage.sent<LaunchAck>(), SizeIs(1));
  EXPECT_THAT(stage.did<StartRun>(), IsEmpty());
}

TEST(Launch, OfATaskThatWasLaunchedBeforeIsRejectedUnderANewNumber) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.exits(1);
  stage.acknowledge("m1", 2);
  stage.launch(2, "m1");
  EXPECT_THAT(stage.did<StartRun>(), IsEmpty());
  EXPECT_THAT(stage.sent<LaunchAck>(), SizeIs(1));
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 3 REJECTED duplicate-id"));
  EXPECT_EQ(stage.sent<Status>()[0].launch, launch_id(2));
}

TEST(Launch, TheSameTaskIdOfAnotherFrameworkIsAnotherTask) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  auto other = Stage::launch_of(2, "m1");
  other.framework = {Bits128{10, 10}};
  stage.receive(other);
  EXPECT_THAT(stage.did<StartRun>(), SizeIs(1));
}

TEST(Launch, ThatDoesNotFitIsRejected) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.launch(2, "m2", 2);
  EXPECT_THAT(stage.did<StartRun>(), IsEmpty());
  EXPECT_THAT(stage.statuses(), ElementsAre("m2 1 REJECTED agent-refused"));
  EXPECT_FALSE(stage.sent<Status>()[0].status.message.empty());
}

TEST(Launch, SlotsAreFreeAgainWhenTheRunHasEnded) {
  Stage stage(Stage::config(1));
  stage.join();
  stage.run(1, "m1");
  stage.exits(1);
  stage.launch(2, "m2");
  EXPECT_THAT(stage.did<StartRun>(), SizeIs(1));
}

TEST(Launch, WithoutWorkOrWithNamesThatAreNoNamesIsRejected) {
  Stage stage;
  stage.join();
  auto idle = Stage::launch_of(1, "m1");
  idle.task.work = nullptr;
  stage.receive(idle);
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 1 REJECTED invalid"));
  stage.launch(2, "..");
  EXPECT_THAT(stage.statuses(), ElementsAre(".. 1 REJECTED invalid"));
  auto climbing = Stage::launch_of(3, "m3");
  climbing.framework_name = "../x";
  stage.receive(climbing);
  EXPECT_THAT(stage.statuses(), ElementsAre("m3 1 REJECTED invalid"));
}

TEST(Launch, OfAnIdThatIsNoneDoesNotSpoilTheNextRegister) {
  Stage stage;
  stage.join();
  stage.launch(1, "..");
  stage.step(PeerLost{kAllocatorPeer});
  stage.pass(milliseconds(200));
  ASSERT_FALSE(stage.sent<Register>().empty());
  EXPECT_THAT(stage.sent<Register>()[0].tasks, IsEmpty());
}

TEST(Launch, StatusesCarryTheAgentAndTheLaunch) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.started(1);
  ASSERT_THAT(stage.sent<Status>(), SizeIs(1));
  EXPECT_EQ(stage.sent<Status>()[0].launch, launch_id(1));
  EXPECT_EQ(stage.sent<Status>()[0].status.agent, kAgent);
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 1 RUNNING none"));
}

TEST(Launch, WaitsWhileTooManyEndsAreNotAcknowledged) {
  Stage stage;
  stage.join();
  const auto most = limits::kTasksPerAgent;
  for (std::uint64_t n = 1; n <= most; ++n) {
    const auto task = std::to_string(n);
    stage.launch(n, "t" + task, 3);  // more than there is: ends at once
  }
  stage.launch(most + 1, "late");
  EXPECT_THAT(stage.sent<LaunchAck>(), IsEmpty());
  EXPECT_THAT(stage.did<StartRun>(), IsEmpty());
  ASSERT_THAT(stage.sent<ErrorMessage>(), SizeIs(1));
  EXPECT_EQ(stage.sent<ErrorMessage>()[0].error.code, ErrorCode::slow_down);
  auto of_another = Stage::launch_of(most + 2, "other");
  of_another.framework = {Bits128{8, 8}};
  stage.receive(of_another);
  EXPECT_THAT(stage.did<StartRun>(), SizeIs(1)) << "others do not suffer";
  stage.exits(most + 2);
  stage.acknowledge("t1", 1);
  stage.launch(most + 1, "late");
  EXPECT_THAT(stage.did<StartRun>(), SizeIs(1));
}

TEST(Run, ExitCodeZeroIsFinishedWithResultAndTime) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.sleep(milliseconds(1500));
  const auto result = std::make_shared<TaskResult>(MapResult{{}, 5, 6, 7, 8, 9, {}});
  stage.step(RunExited{launch_id(1), {}, result, ""});
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 FINISHED exit"));
  const auto status = stage.sent<Status>()[0].status;
  EXPECT_EQ(status.result, result);
  EXPECT_EQ(status.run_time, milliseconds(1500));
}

TEST(Run, AnotherExitCodeIsFailedAndKeepsTheResult) {
  Stage stage;
  stage.join();
  stage.run(1, "r1");
  const auto result = std::make_shared<TaskResult>(ReduceResult{{{"m1"}}, 0, 0, 0, 0, 0, {}});
  stage.step(RunExited{launch_id(1), {3, 0}, result, ""});
  EXPECT_THAT(stage.statuses(), ElementsAre("r1 2 FAILED exit"));
  EXPECT_EQ(stage.sent<Status>()[0].status.exit, (ExitStatus{3, 0}));
  EXPECT_EQ(stage.sent<Status>()[0].status.message, "exit code 3");
  EXPECT_EQ(stage.sent<Status>()[0].status.result, result);
}

TEST(Run, ASignalIsFailed) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.exits(1, {0, 11});
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 FAILED signal"));
  EXPECT_EQ(stage.sent<Status>()[0].status.exit.signal, 11);
}

TEST(Run, ThatCouldNotStartIsFailedWithTheReason) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.step(RunExited{launch_id(1), {}, nullptr, "cannot start 'nope'"});
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 1 FAILED spawn-failed"));
  EXPECT_EQ(stage.sent<Status>()[0].status.message, "cannot start 'nope'");
  EXPECT_EQ(stage.sent<Status>()[0].status.run_time, Duration::zero());
}

TEST(Run, EndsOnceHoweverOftenItIsTold) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.exits(1);
  stage.exits(1);
  stage.started(1);
  EXPECT_THAT(stage.actions(), IsEmpty());
}

TEST(Run, BeginningAndEndAreTraced) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.started(1);
  ASSERT_THAT(stage.did<Emit>(), SizeIs(1));
  EXPECT_EQ(std::get<RunBegan>(stage.did<Emit>()[0].trace).task, TaskId{"m1"});
  stage.exits(1, {4, 0});
  ASSERT_THAT(stage.did<Emit>(), SizeIs(1));
  EXPECT_EQ(std::get<RunEnded>(stage.did<Emit>()[0].trace).exit.code, 4);
}

TEST(Talk, GoesBothWaysWhileTheTaskRuns) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.receive(TaskMessage{kFramework, {"m1"}, "hello"});
  ASSERT_THAT(stage.did<DeliverToRun>(), SizeIs(1));
  EXPECT_EQ(stage.did<DeliverToRun>()[0].launch, launch_id(1));
  EXPECT_EQ(stage.did<DeliverToRun>()[0].payload, "hello");
  stage.step(RunSaid{launch_id(1), "hi"});
  EXPECT_THAT(stage.sent<TaskMessage>(), ElementsAre(TaskMessage{kFramework, {"m1"}, "hi"}));
}

TEST(Talk, ARepeatedMessageIsDeliveredOnce) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  const Envelope said{kCluster, Epoch{3}, kSession, 50, TaskMessage{kFramework, {"m1"}, "hello"}};
  stage.receive_as(said);
  EXPECT_THAT(stage.did<DeliverToRun>(), SizeIs(1));
  stage.receive_as(said);
  EXPECT_THAT(stage.did<DeliverToRun>(), IsEmpty());
}

TEST(Talk, WithNobodyIsDropped) {
  Stage stage;
  stage.join();
  stage.receive(TaskMessage{kFramework, {"m1"}, "hello"});
  EXPECT_THAT(stage.actions(), IsEmpty());
  stage.run(1, "m1");
  stage.step(PeerLost{kAllocatorPeer});
  stage.step(RunSaid{launch_id(1), "hi"});
  EXPECT_THAT(stage.sent<TaskMessage>(), IsEmpty());
}

TEST(Settled, IsARunWhoseEndIsAcknowledgedOnce) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.acknowledge("m1", 1);
  EXPECT_THAT(stage.did<SettleRun>(), IsEmpty()) << "it runs";
  stage.exits(1);
  stage.acknowledge("m1", 2);
  ASSERT_THAT(stage.did<SettleRun>(), SizeIs(1));
  EXPECT_EQ(stage.did<SettleRun>()[0].launch, launch_id(1));
  stage.acknowledge("m1", 2);
  EXPECT_THAT(stage.did<SettleRun>(), IsEmpty());
}

TEST(Release, DropsOutputs) {
  Stage stage;
  stage.join();
  stage.receive(Release{kFramework, JobId{4}});
  ASSERT_THAT(stage.did<DropOutputs>(), SizeIs(1));
  EXPECT_EQ(stage.did<DropOutputs>()[0].framework, kFramework);
  EXPECT_EQ(stage.did<DropOutputs>()[0].job, JobId{4});
}

}  // namespace
}  // namespace proffer::agent_test
