#include "tests/agent/stage.hpp"

namespace proffer::agent_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Kill, TerminatesAtOnceAndKillsWhenTheGraceIsOverNotBefore) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.kill("m1", seconds(5));
  EXPECT_THAT(stage.signals(), ElementsAre("terminate 1"));
  stage.pass(milliseconds(4999));
  EXPECT_THAT(stage.signals(), IsEmpty());
  stage.pass(milliseconds(1));
  EXPECT_THAT(stage.signals(), ElementsAre("kill 1"));
  stage.pass_alive(seconds(60));
  EXPECT_THAT(stage.signals(), IsEmpty());
}

TEST(Kill, IsIdempotent) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.kill("m1", seconds(5));
  stage.kill("m1", seconds(5));
  EXPECT_THAT(stage.signals(), IsEmpty());
  stage.pass(seconds(5));
  EXPECT_THAT(stage.signals(), ElementsAre("kill 1"));
}

TEST(Kill, AgainWithLessGraceBringsTheEndForward) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.kill("m1", seconds(60));
  stage.kill("m1", seconds(1));
  stage.pass(seconds(1));
  EXPECT_THAT(stage.signals(), ElementsAre("kill 1"));
}

TEST(Kill, WithoutGraceKillsAtOnce) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.kill("m1", Duration::zero());
  EXPECT_THAT(stage.signals(), ElementsAre("terminate 1", "kill 1"));
}

TEST(Kill, ARunThatEndsInTimeIsNotKilled) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.kill("m1", seconds(5));
  stage.exits(1, {0, 15});
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 KILLED kill-requested"));
  EXPECT_EQ(stage.sent<Status>()[0].status.exit.signal, 15);
  stage.pass_alive(seconds(10));
  EXPECT_THAT(stage.signals(), IsEmpty());
}

TEST(Kill, WhoeverWasAskedToEndWasKilledHoweverItEnded) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.kill("m1");
  stage.exits(1, {0, 0});
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 KILLED kill-requested"));
}

TEST(Kill, BeforeTheLaunchCancelsIt) {
  Stage stage;
  stage.join();
  stage.kill("m1");
  EXPECT_THAT(stage.signals(), IsEmpty());
  stage.launch(1, "m1");
  EXPECT_THAT(stage.sent<LaunchAck>(), SizeIs(1));
  EXPECT_THAT(stage.did<StartRun>(), IsEmpty());
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 1 KILLED kill-requested"));
}

TEST(Kill, ATaskThatHasEndedIsNoConcernOfAnybody) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.exits(1);
  stage.kill("m1");
  EXPECT_THAT(stage.actions(), IsEmpty());
}

TEST(Kill, WhileThereIsNoSessionTheGraceRunsOn) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.kill("m1", seconds(5));
  stage.step(PeerLost{kAllocatorPeer});
  stage.pass(seconds(6));
  EXPECT_THAT(stage.signals(), ElementsAre("kill 1"));
}

}  // namespace
}  // namespace proffer::agent_test
