// An agent that cannot do its work: what is its fault and what the task's, and how it gets well again.
#include "tests/agent/stage.hpp"

namespace proffer::agent_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using enum AgentFault::What;

class Health : public ::testing::Test {
 protected:
  Health() { stage.join(); }
  void fail(std::uint64_t n, AgentFault::What what = start, const std::string& why = "no room on the disk") {
    stage.step(RunExited{launch_id(n), {}, nullptr, "", AgentFault{what, why}});
  }
  /// Launches number `first` to `last`, none of which can be started.
  void fail_to_start(std::uint64_t first, std::uint64_t last) {
    for (auto n = first; n <= last; ++n) {
      stage.launch(n, "t" + std::to_string(n));
      fail(n);
    }
  }
  std::vector<std::string> told() {
    std::vector<std::string> texts;
    for (const auto& health : stage.sent<AgentHealth>()) texts.push_back(health.trouble);
    return texts;
  }
  Stage stage;
};

TEST_F(Health, AStartThatFailsThroughTheAgentIsNoSpawnFailure) {
  stage.launch(1, "t1");
  fail(1);
  EXPECT_THAT(stage.statuses(), ElementsAre("t1 1 FAILED agent-failed"));
  EXPECT_EQ(stage.sent<Status>()[0].status.message, "no room on the disk");
}

TEST_F(Health, ATaskThatLosesItsLauncherIsNotEndedByASignalOfItsOwn) {
  stage.run(1, "t1");
  stage.step(RunExited{launch_id(1), {0, 9}, nullptr, "", AgentFault{ran, "the agent's launcher has ended"}});
  EXPECT_THAT(stage.statuses(), ElementsAre("t1 2 FAILED agent-failed"));
}

TEST_F(Health, OutputThatWasNotKeptIsNoSuccess) {
  stage.run(1, "t1");
  fail(1, output);
  EXPECT_THAT(stage.statuses(), ElementsAre("t1 2 FAILED output-lost"));
}

TEST_F(Health, WhatWasCutOffIsToldAndNoFailure) {
  stage.run(1, "t1");
  RunExited exited{launch_id(1), {}, nullptr, ""};
  exited.remark = "its stdout was cut off";
  stage.step(exited);
  EXPECT_THAT(stage.statuses(), ElementsAre("t1 2 FINISHED exit"));
  EXPECT_EQ(stage.sent<Status>()[0].status.message, "its stdout was cut off");
}

TEST_F(Health, TheThirdFailedStartInARowIsTroubleWhichTheAllocatorHearsOfBeforeTheSlotIsFree) {
  fail_to_start(1, 2);
  EXPECT_THAT(told(), IsEmpty());
  fail_to_start(3, 3);
  EXPECT_THAT(told(), ElementsAre("no room on the disk"));
  std::vector<std::string> order;
  for (const auto& send : stage.did<Send>()) order.emplace_back(type_name(send.envelope.message));
  EXPECT_THAT(order, ElementsAre("AGENT_HEALTH", "STATUS"));
}

TEST_F(Health, AStartThatSucceedsInBetweenBeginsTheCountAnew) {
  fail_to_start(1, 2);
  stage.run(3, "t3");
  fail_to_start(4, 5);
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(Health, ThreeLostOutputsInARowAreTroubleThoughAllWereStarted) {
  for (std::uint64_t n = 1; n <= 3; ++n) {
    stage.run(n, "t" + std::to_string(n));
    fail(n, output);
  }
  EXPECT_THAT(told(), SizeIs(1));
}

TEST_F(Health, WhatIsTheTasksOwnFaultIsNoTrouble) {
  for (std::uint64_t n = 1; n <= 9; ++n) {
    stage.launch(n, "t" + std::to_string(n));
    stage.step(RunExited{launch_id(n), {}, nullptr, "no such program"});
  }
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(Health, InTroubleItRefusesLaunchesAndSaysWhy) {
  fail_to_start(1, 3);
  stage.launch(4, "t4");
  EXPECT_THAT(stage.did<StartRun>(), IsEmpty());
  EXPECT_THAT(stage.statuses(), ElementsAre("t4 1 REJECTED agent-refused"));
  EXPECT_EQ(stage.sent<Status>()[0].status.message, "the agent is in trouble: no room on the disk");
}

TEST_F(Health, ItProbesAfterASecondAndIsWellAgainWhenAProbeSucceeds) {
  fail_to_start(1, 3);
  stage.pass(milliseconds(999));
  EXPECT_THAT(stage.did<Probe>(), IsEmpty());
  stage.pass(milliseconds(1));
  EXPECT_THAT(stage.did<Probe>(), SizeIs(1));
  stage.step(Probed{});
  EXPECT_THAT(told(), ElementsAre(""));
  stage.launch(4, "t4");
  EXPECT_THAT(stage.did<StartRun>(), SizeIs(1));
}

TEST_F(Health, ProbesThatFailComeLessAndLessOften) {
  fail_to_start(1, 3);
  stage.receive(AgentHealth{"no room on the disk"});
  for (const int wait : {1, 2, 4}) {
    stage.pass_alive(seconds(wait) - milliseconds(1));
    EXPECT_THAT(stage.did<Probe>(), IsEmpty()) << wait;
    stage.pass_alive(milliseconds(1));
    EXPECT_THAT(stage.did<Probe>(), SizeIs(1)) << wait;
    stage.step(Probed{"no room on the disk"});
  }
}

TEST_F(Health, AProbeThatFailsOtherwiseIsTold) {
  fail_to_start(1, 3);
  stage.pass(seconds(1));
  stage.step(Probed{"the disk is gone"});
  EXPECT_THAT(told(), ElementsAre("the disk is gone"));
}

TEST_F(Health, WellAgainTheNextFailureIsOneTooMany) {
  fail_to_start(1, 3);
  stage.pass(seconds(1));
  stage.step(Probed{});
  fail_to_start(4, 4);
  EXPECT_THAT(told(), ElementsAre("no room on the disk"));
  stage.pass(milliseconds(1999));
  EXPECT_THAT(stage.did<Probe>(), IsEmpty()) << "and the wait goes on growing";
}

TEST_F(Health, ItTellsAgainUntilTheAllocatorRepeatsIt) {
  fail_to_start(1, 3);
  stage.pass(seconds(1));
  EXPECT_THAT(told(), ElementsAre("no room on the disk"));
  stage.receive(AgentHealth{"no room on the disk"});
  stage.pass(seconds(1));
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(Health, ANewSessionIsToldInRegister) {
  fail_to_start(1, 3);
  stage.step(PeerLost{kAllocatorPeer});
  stage.pass(seconds(1));
  ASSERT_THAT(stage.sent<Register>(), ::testing::Not(IsEmpty()));
  EXPECT_EQ(stage.sent<Register>().back().trouble, "no room on the disk");
  stage.join({kAgent, seconds(1), "", {}}, SessionId{12});
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(Health, WhatChangedSinceRegisterIsToldOnceTheSessionIsOpen) {
  fail_to_start(1, 3);
  stage.step(PeerLost{kAllocatorPeer});
  stage.pass(seconds(1));
  stage.step(Probed{});
  stage.receive(SessionId{12}, Registered{kAgent, seconds(1), "", {}});
  EXPECT_THAT(told(), ElementsAre(""));
}

TEST_F(Health, BothChangesAreTraced) {
  const auto traced = [this] {
    std::vector<std::string> whys;
    for (const auto& emit : stage.did<Emit>()) {
      if (const auto* trouble = std::get_if<AgentTrouble>(&emit.trace)) whys.push_back(trouble->why);
    }
    return whys;
  };
  fail_to_start(1, 3);
  EXPECT_THAT(traced(), ElementsAre("no room on the disk"));
  stage.pass(seconds(1));
  stage.step(Probed{});
  EXPECT_THAT(traced(), ElementsAre(""));
}

}  // namespace
}  // namespace proffer::agent_test
