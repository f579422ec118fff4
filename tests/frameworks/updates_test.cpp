// What becomes of tasks: updates, acknowledgements, kills, messages.
#include "tests/frameworks/session_world.hpp"

namespace proffer::testing {
namespace {

struct UpdatesTest : ::testing::Test {
  UpdatesTest() {
    world.subscribe();
    world.sent();
    world.scheduler.take_log();
  }
  SessionWorld world;
};

TEST_F(UpdatesTest, AreDeliveredAndThenAcknowledged) {
  world.run("t");
  world.scheduler.on_status = [](Driver& driver) { driver.revive(); };
  world.update("t", 1, TaskState::running);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t RUNNING none"));
  const auto sent = world.sent();
  ASSERT_THAT(sent, SizeIs(2));
  EXPECT_EQ(std::get<Acknowledge>(sent[0]), (Acknowledge{world.framework_id, {"t"}, 1}));
  EXPECT_TRUE(std::holds_alternative<Revive>(sent[1]));
}

TEST_F(UpdatesTest, TheLastOneIsAcknowledgedBeforeItsHandlerTearsDown) {
  world.run("t");
  world.scheduler.on_status = [](Driver& driver) { driver.stop(); };
  world.update("t", 1, TaskState::finished);
  EXPECT_THAT(world.sent_names(), ElementsAre("ACKNOWLEDGE", "TEARDOWN"));
}

TEST_F(UpdatesTest, ThatAreRepeatedAreAcknowledgedAgainButNotDelivered) {
  world.run("t");
  world.update("t", 1, TaskState::running);
  world.update("t", 2, TaskState::finished);
  world.sent();
  world.scheduler.take_log();
  world.update("t", 1, TaskState::running);
  world.update("t", 2, TaskState::finished);
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
  EXPECT_THAT(world.sent_names(), ElementsAre("ACKNOWLEDGE", "ACKNOWLEDGE"));
}

TEST_F(UpdatesTest, AnEndThatIsHeldIsAcknowledgedWhenTheSchedulerSays) {
  world.run("t");
  world.scheduler.on_status = [](Driver& driver) { driver.hold({"t"}); };
  world.update("t", 2, TaskState::finished);
  world.update("t", 2, TaskState::finished);  // the agent repeats it meanwhile
  EXPECT_THAT(world.sent_names(), IsEmpty());
  world.call([](Driver& driver) { driver.acknowledge({"t"}); });
  EXPECT_EQ(world.sent_of<Acknowledge>(), (std::vector<Acknowledge>{{world.framework_id, {"t"}, 2}}));
  world.update("t", 2, TaskState::finished);
  EXPECT_THAT(world.sent_names(), ElementsAre("ACKNOWLEDGE")) << "the first one was lost";
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t FINISHED none"));
}

TEST_F(UpdatesTest, AnEndThatIsHeldOutlivesTheSessionAndTakesTheNumberOfTheNextOne) {
  world.run("t");
  world.scheduler.on_status = [](Driver& driver) { driver.hold({"t"}); };
  world.update("t", 2, TaskState::finished);
  world.lose_connection();
  world.pass(1s);
  world.subscribe();
  world.update("t", 7, TaskState::finished);
  EXPECT_THAT(world.sent_of<Acknowledge>(), IsEmpty());
  world.call([](Driver& driver) { driver.acknowledge({"t"}); });
  EXPECT_EQ(world.sent_of<Acknowledge>(), (std::vector<Acknowledge>{{world.framework_id, {"t"}, 7}}));
}

TEST_F(UpdatesTest, AnEndLetGoWithoutASessionIsAcknowledgedInTheNextOne) {
  world.run("t");
  world.scheduler.on_status = [](Driver& driver) { driver.hold({"t"}); };
  world.update("t", 2, TaskState::finished);
  world.lose_connection();
  world.call([](Driver& driver) { driver.acknowledge({"t"}); });
  EXPECT_THAT(world.sent_of<Acknowledge>(), IsEmpty());
  world.pass(1s);
  world.subscribe();
  world.update("t", 2, TaskState::finished);
  EXPECT_THAT(world.sent_of<Acknowledge>(), SizeIs(1));
}

TEST_F(UpdatesTest, OnlyOneTerminalStateIsEverDelivered) {
  world.run("t");
  world.update("t", 1, TaskState::finished);
  world.update("t", 2, TaskState::failed);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t FINISHED none"));
}

TEST_F(UpdatesTest, ThatComeBeforeTheVerdictCountAndTheVerdictNoMore) {
  world.offer_slots(1);
  world.launch(1, "t");
  world.scheduler.take_log();
  world.update("t", 1, TaskState::running);
  world.verdict(1, "t", false);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t RUNNING none"));
}

TEST_F(UpdatesTest, OfTheAllocatorAreNumberedAmongTheOthersAndDeliveredOnce) {
  world.run("t");
  world.update("t", 1, TaskState::running);
  world.update("t", 2, TaskState::unreachable);
  world.update("t", 2, TaskState::unreachable);
  world.update("t", 3, TaskState::running);
  world.update("t", 4, TaskState::lost);
  world.update("t", 4, TaskState::lost);
  EXPECT_THAT(world.scheduler.take_log(),
              ElementsAre("t RUNNING none", "t UNREACHABLE none", "t RUNNING none", "t LOST none"));
}

TEST_F(UpdatesTest, OfTheSameStateAgainUnderANewNumberAreNoNews) {
  world.run("t");
  world.update("t", 1, TaskState::starting);
  world.update("t", 2, TaskState::running);
  world.scheduler.take_log();
  world.sent();
  world.update("t", 3, TaskState::running);   // another allocator tells what it has heard
  world.update("t", 4, TaskState::starting);  // or begins with what was not yet acknowledged
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
  EXPECT_THAT(world.sent_names(), ElementsAre("ACKNOWLEDGE", "ACKNOWLEDGE"));
  world.update("t", 5, TaskState::finished);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t FINISHED none"));
}

TEST_F(UpdatesTest, OfALifeAfterTheEndAreAnsweredByOneKill) {
  world.run("t");
  world.update("t", 1, TaskState::finished);
  world.sent();
  world.update("t", 2, TaskState::unreachable);
  EXPECT_THAT(world.sent_names(), ElementsAre("KILL", "ACKNOWLEDGE"));
  world.pass(60s);
  EXPECT_THAT(world.sent_of<Kill>(), IsEmpty()) << "its end may have been lost with the allocator";
}

TEST_F(UpdatesTest, OfUnknownTasksAndOtherFrameworksAreNotDelivered) {
  world.update("stranger", 2, TaskState::finished);
  EXPECT_THAT(world.sent_names(), ElementsAre("ACKNOWLEDGE"));
  world.update("stranger", 1, TaskState::running);
  EXPECT_THAT(world.sent_names(), ElementsAre("KILL", "ACKNOWLEDGE")) << "nobody wants it any more";
  TaskStatus status;
  status.framework = {{3, 3}};
  status.task = {"t"};
  status.seq = 1;
  world.say(Update{status});
  EXPECT_THAT(world.sent_names(), IsEmpty());
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
}

TEST_F(UpdatesTest, GoOnAfterTheSessionWasReplaced) {
  world.run("t");
  world.update("t", 1, TaskState::running);
  world.lose_connection();
  world.pass(1s);
  world.subscribe();
  world.scheduler.take_log();
  world.update("t", 1, TaskState::running);
  world.update("t", 2, TaskState::finished);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t FINISHED none"));
}

TEST_F(UpdatesTest, AreForgottenTenMinutesAfterTheTasksEnd) {
  world.run("t");
  world.update("t", 1, TaskState::finished);
  world.subscribe(0s);
  world.pass(10min + 1s);
  world.run("other");
  world.update("other", 1, TaskState::finished);  // the ledger is swept when a task ends
  world.offer_slots(9);
  world.launch(9, "t");  // its id is free again
  world.scheduler.take_log();
  world.update("t", 1, TaskState::running);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t RUNNING none"));
}

TEST_F(UpdatesTest, KillsAreRepeatedUntilTheTaskHasEnded) {
  world.run("t");
  world.call([](Driver& driver) { driver.kill({"t"}, 3s); });
  EXPECT_EQ(world.sent_of<Kill>(), (std::vector<Kill>{{world.framework_id, {"t"}, 3s}}));
  world.pass(1s);
  world.say(Heartbeat{});
  EXPECT_THAT(world.sent_of<Kill>(), SizeIs(1));
  world.pass(2s);
  world.say(Heartbeat{});
  EXPECT_THAT(world.sent_of<Kill>(), SizeIs(1));
  world.update("t", 1, TaskState::killed);
  world.pass(4s);
  world.say(Heartbeat{});
  world.pass(4s);
  EXPECT_THAT(world.sent_of<Kill>(), IsEmpty());
}

TEST_F(UpdatesTest, AKillAskedForWithoutASessionIsSentInTheNextOne) {
  world.run("t");
  world.lose_connection();
  world.call([](Driver& driver) { driver.kill({"t"}); });
  world.pass(1s);
  EXPECT_THAT(world.sent_of<Kill>(), IsEmpty());
  world.subscribe();
  EXPECT_THAT(world.sent_of<Kill>(), SizeIs(1));
}

TEST_F(UpdatesTest, AKillOfATaskThatIsOverIsNotSent) {
  world.run("t");
  world.update("t", 1, TaskState::finished);
  world.sent();
  world.call([](Driver& driver) {
    driver.kill({"t"});
    driver.kill({"never"});
  });
  EXPECT_THAT(world.sent(), IsEmpty());
}

TEST_F(UpdatesTest, MessagesTravelBothWaysWhileTheTaskLives) {
  world.run("t");
  world.call([](Driver& driver) { driver.send_to_task({"t"}, "ping"); });
  EXPECT_EQ(world.sent_of<TaskMessage>(), (std::vector<TaskMessage>{{world.framework_id, {"t"}, "ping"}}));
  world.say(TaskMessage{world.framework_id, {"t"}, "pong"});
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t said pong"));
  world.update("t", 1, TaskState::finished);
  world.scheduler.take_log();
  world.say(TaskMessage{world.framework_id, {"t"}, "late"});
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
}

TEST_F(UpdatesTest, ReleasesAskedForWithoutASessionAreSentInTheNextOne) {
  world.call([](Driver& driver) { driver.release({1}); });
  EXPECT_EQ(world.sent_of<Release>(), (std::vector<Release>{{world.framework_id, {1}}}));
  world.lose_connection();
  world.call([](Driver& driver) { driver.release({2}); });
  world.pass(1s);
  world.sent();
  world.subscribe();
  EXPECT_EQ(world.sent_of<Release>(), (std::vector<Release>{{world.framework_id, {2}}}));
}

TEST_F(UpdatesTest, SchedulersAreWokenAtTheirDeadline) {
  world.scheduler.wake_at = world.now + 300ms;
  EXPECT_EQ(world.framework.next_deadline(), world.now + 300ms);
  world.pass(300ms - 1us);
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
  world.pass(1us);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("deadline"));
}

TEST_F(UpdatesTest, TracesOfTheSchedulerAreEmitted) {
  world.actions.clear();
  world.call([](Driver& driver) { driver.trace(JobFinished{{1}, true, ""}); });
  ASSERT_THAT(world.actions, SizeIs(1));
  EXPECT_TRUE(std::holds_alternative<JobFinished>(std::get<Emit>(world.actions[0]).trace));
}

}  // namespace
}  // namespace proffer::testing
