#include "agent/launch_history.hpp"
#include "agent/status_outbox.hpp"
#include "tests/agent/stage.hpp"

namespace proffer::agent_test {
namespace {

using agent::LaunchHistory;
using agent::StatusOutbox;
using agent::TaskKey;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(StatusResend, UntilItIsAcknowledgedLessAndLessOften) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.started(1);
  stage.pass_alive(milliseconds(799));
  EXPECT_THAT(stage.statuses(), IsEmpty());
  stage.pass_alive(milliseconds(401));
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 1 RUNNING none"));
  // 1, 2, 4, ... 32, 60, 60, ... seconds, each +-20%.
  stage.pass_alive(seconds(200));
  const auto early = stage.statuses().size();
  EXPECT_GE(early, 5u);
  EXPECT_LE(early, 9u);
  stage.pass_alive(seconds(600));
  EXPECT_GE(stage.statuses().size(), 8u);
  EXPECT_LE(stage.statuses().size(), 13u);
  stage.acknowledge("m1", 1);
  stage.pass_alive(seconds(200));
  EXPECT_THAT(stage.statuses(), IsEmpty());
}

TEST(StatusResend, OnlyTheOldestOfATaskIsUnderWay) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.started(1);
  stage.exits(1);
  EXPECT_THAT(stage.statuses(), IsEmpty());
  stage.pass_alive(milliseconds(500));
  EXPECT_THAT(stage.statuses(), IsEmpty());
  stage.acknowledge("m1", 1);
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 FINISHED exit"));
}

Registered with_reports(Duration period) {
  Registered registered{kAgent, seconds(1), "", {}};
  registered.report_period = period;
  return registered;
}

/// The names of the statuses and reports that were sent, in their order.
std::vector<std::string> told(const Stage& stage) {
  auto names = stage.order();
  std::erase_if(names, [](const std::string& name) { return name != "STATUS" && name != "SLOT_REPORT"; });
  return names;
}

TEST(SlotReports, ComeEachPeriodFromARandomTimeWithinTheFirst) {
  Stage stage;
  stage.join(with_reports(seconds(4)));
  stage.pass_alive(seconds(40));
  EXPECT_THAT(stage.sent<SlotReport>(), SizeIs(10));
}

TEST(SlotReports, ComeBehindTheEndsThatWereHeldBackForThem) {
  Stage stage;
  stage.join(with_reports(seconds(4)));
  stage.run(1, "m1");
  stage.run(2, "m2");
  while (told(stage).empty()) stage.pass_alive(milliseconds(100));
  stage.exits(1);
  stage.exits(2);
  stage.pass_alive(milliseconds(3800));
  EXPECT_THAT(told(stage), IsEmpty());
  stage.pass_alive(milliseconds(200));
  EXPECT_THAT(told(stage), ElementsAre("STATUS", "STATUS", "SLOT_REPORT"));
}

TEST(SlotReports, AreNotSentToAnAllocatorThatWantsNone) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.exits(1);
  EXPECT_THAT(told(stage), ElementsAre("STATUS"));
  stage.acknowledge("m1", 2);
  stage.pass_alive(seconds(40));
  EXPECT_THAT(told(stage), IsEmpty());
}

TEST(StatusResend, AnEndTakesThePlaceOfWhatNobodyAcknowledges) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.started(1);
  stage.pass_alive(seconds(300));
  EXPECT_THAT(stage.statuses(), Each("m1 1 RUNNING none"));
  stage.exits(1);
  stage.pass_alive(seconds(2));
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 FINISHED exit"));
  stage.acknowledge("m1", 1);
  stage.pass_alive(milliseconds(1200));
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 FINISHED exit")) << "the delays begin anew";
  stage.acknowledge("m1", 2);
  stage.pass_alive(seconds(200));
  EXPECT_THAT(stage.statuses(), IsEmpty());
}

TEST(StatusResend, OtherTasksDoNotWait) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.started(1);
  stage.launch(2, "m2");
  stage.started(2);
  EXPECT_THAT(stage.statuses(), ElementsAre("m2 1 RUNNING none"));
}

TEST(StatusResend, AtOnceInANewSession) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.started(1);
  stage.pass_alive(seconds(100));
  stage.step(PeerLost{kAllocatorPeer});
  stage.join({kAgent, seconds(1), "", {}}, SessionId{12});
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 1 RUNNING none"));
  stage.pass_alive(milliseconds(1200));
  EXPECT_THAT(stage.statuses(), SizeIs(1)) << "the delays begin anew";
}

TEST(StatusResend, WaitsWhileThereIsNoSession) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.step(PeerLost{kAllocatorPeer});
  stage.started(1);
  stage.pass(seconds(5));
  EXPECT_THAT(stage.statuses(), IsEmpty());
}

TEST(StatusResend, AStatusThatWasNeverSentIsSuperseded) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.step(PeerLost{kAllocatorPeer});
  stage.started(1);
  stage.exits(1);
  stage.join({kAgent, seconds(1), "", {}}, SessionId{12});
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 FINISHED exit"));
}

TEST(StatusResend, AnAcknowledgementOfAnotherNumberHasNoEffect) {
  Stage stage;
  stage.join();
  stage.launch(1, "m1");
  stage.started(1);
  stage.acknowledge("m1", 2);
  stage.acknowledge("m2", 1);
  stage.exits(1);
  EXPECT_THAT(stage.statuses(), IsEmpty());
  stage.acknowledge("m1", 1);
  EXPECT_THAT(stage.statuses(), SizeIs(1));
  stage.acknowledge("m1", 1);
  EXPECT_THAT(stage.statuses(), IsEmpty());
}

Status status_of(std::uint64_t n, TaskState state = TaskState::running, std::uint64_t seq = 1) {
  Status status;
  status.launch = launch_id(n);
  status.status.task = {"t" + std::to_string(n)};
  status.status.seq = seq;
  status.status.state = state;
  return status;
}

TEST(StatusOutbox, AtMostFiveHundredASecondAreSentAgainInANewSession) {
  Random random(1);
  StatusOutbox outbox(seconds(1000), seconds(1000));
  for (std::uint64_t n = 1; n <= 1200; ++n) outbox.push(status_of(n), Time{});
  EXPECT_THAT(outbox.take_due(random, Time{}), SizeIs(1200));
  outbox.new_session(Time{});
  outbox.check_invariants();
  EXPECT_THAT(outbox.take_due(random, Time{}), SizeIs(500));
  EXPECT_THAT(outbox.take_due(random, Time{} + milliseconds(999)), IsEmpty());
  EXPECT_THAT(outbox.take_due(random, Time{} + seconds(1)), SizeIs(500));
  EXPECT_THAT(outbox.take_due(random, Time{} + seconds(2)), SizeIs(200));
}

TEST(StatusOutbox, TerminalStatusesAreNeverSuperseded) {
  StatusOutbox outbox(seconds(1), seconds(60));
  outbox.push(status_of(1, TaskState::finished, 1), Time{});
  outbox.push(status_of(1, TaskState::rejected, 2), Time{});
  EXPECT_THAT(outbox.terminal(), SizeIs(2));
  EXPECT_EQ(outbox.terminal_count(status_of(1, TaskState::finished, 1).status.framework), 2u);
  outbox.check_invariants();
}

TEST(LaunchHistory, SettledLaunchesAreForgottenOldestFirst) {
  LaunchHistory history;
  for (std::uint64_t n = 0; n <= LaunchHistory::kRemembered; ++n) {
    history.note(launch_id(n), {kFramework, {std::to_string(n)}});
    history.settle(launch_id(n));
  }
  EXPECT_THAT(history.forget_oldest(), ElementsAre(launch_id(0)));
  history.check_invariants();
  EXPECT_FALSE(history.knows(launch_id(0)));
  EXPECT_FALSE(history.knows(TaskKey{kFramework, {"0"}}));
  EXPECT_TRUE(history.knows(launch_id(1)));
  EXPECT_TRUE(history.knows(TaskKey{kFramework, {"1"}}));
}

TEST(LaunchHistory, WhatIsNotSettledIsNeverForgotten) {
  LaunchHistory history;
  history.note(launch_id(1), {kFramework, {"lives"}});
  for (std::uint64_t n = 2; n <= 2 * LaunchHistory::kRemembered; ++n) {
    history.note(launch_id(n), {kFramework, {std::to_string(n)}});
    history.settle(launch_id(n));
    history.forget_oldest();
  }
  EXPECT_TRUE(history.knows(launch_id(1)));
}

TEST(LaunchHistory, CancelledTasksAreBounded) {
  LaunchHistory history;
  for (std::size_t n = 0; n <= LaunchHistory::kRemembered; ++n) {
    history.cancel({kFramework, {std::to_string(n)}});
    history.cancel({kFramework, {std::to_string(n)}});
  }
  history.check_invariants();
  EXPECT_FALSE(history.cancelled({kFramework, {"0"}}));
  EXPECT_TRUE(history.cancelled({kFramework, {"1"}}));
}

}  // namespace
}  // namespace proffer::agent_test
