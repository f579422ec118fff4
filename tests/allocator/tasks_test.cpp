// The life of a task: LAUNCH, STATUS, UPDATE, ACKNOWLEDGE, KILL, MESSAGE, RELEASE.
#include "proffer/limits.hpp"
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class Tasks : public ::testing::Test {
 protected:
  Tasks() {
    s.agent("a1", 1);
    s.framework("f");
    s.accept("f", "a1", {"t1"}, {DeclineReason::other, std::nullopt, 1});
  }
  void forget() { s.client("a1").inbox.clear(); }
  Stage s;
};

TEST_F(Tasks, LaunchIsSentAgainUntilTheAgentHasIt) {
  s.pass(20 * kSecond);
  EXPECT_THAT(s.take<Launch>("a1"), SizeIs(5)) << "at 0, 1, 3, 7 and 15 s";
  s.ack_launch("a1", "t1");
  s.pass(60 * kSecond);
  EXPECT_THAT(s.take<Launch>("a1"), IsEmpty());
}

TEST_F(Tasks, AStatusIsAnAcknowledgementOfTheLaunch) {
  s.status("a1", "t1", TaskState::running);
  forget();
  s.pass(60 * kSecond);
  EXPECT_THAT(s.take<Launch>("a1"), IsEmpty());
}

TEST_F(Tasks, AStatusBecomesAnUpdate) {
  s.status("a1", "t1", TaskState::running);
  const auto updates = s.take<Update>("f");
  ASSERT_THAT(updates, SizeIs(1));
  EXPECT_EQ(updates[0].status.state, TaskState::running);
  EXPECT_EQ(s.number_of(updates[0].status), 1u);
  EXPECT_EQ(updates[0].status.agent, s.client("a1").agent);
}

TEST_F(Tasks, AnAcknowledgementGoesOnToTheAgent) {
  s.status("a1", "t1", TaskState::running);
  s.acknowledge("f", "t1", 1);
  const auto acks = s.take<Acknowledge>("a1");
  ASSERT_THAT(acks, SizeIs(1));
  EXPECT_EQ(acks[0].seq, 1u);
  EXPECT_EQ(acks[0].task.value, "t1");
}

TEST_F(Tasks, AnAcknowledgementOfSomethingElseIsIgnored) {
  s.status("a1", "t1", TaskState::running);
  s.acknowledge("f", "t1", 2);
  s.acknowledge("f", "t2", 1);
  EXPECT_THAT(s.take<Acknowledge>("a1"), IsEmpty());
}

TEST_F(Tasks, ASlotIsFreeWhenTheAgentReportsTheEndNotWhenItIsAcknowledged) {
  s.status("a1", "t1", TaskState::running);
  s.finish("a1", "t1");
  EXPECT_EQ(s.describe("f").used, Resources{});
  EXPECT_EQ(s.offers("f"), "a1:1* a1:1") << "the first was before the launch";
}

TEST_F(Tasks, AStatusThatComesAgainIsCountedOnceAndForwardedUntilAcknowledged) {
  s.status("a1", "t1", TaskState::running);
  s.finish("a1", "t1");
  --s.client("a1").seqs["t1"];
  s.finish("a1", "t1");
  EXPECT_EQ(s.updates("f"), "t1 RUNNING, t1 FINISHED, t1 FINISHED");
  EXPECT_EQ(s.describe("f").tasks_finished, 1u);
}

TEST_F(Tasks, AStatusThatComesAfterItsAcknowledgementIsAcknowledgedAgain) {
  s.finish("a1", "t1");
  s.acknowledge("f", "t1", 1);
  forget();
  s.updates("f");
  s.client("a1").seqs["t1"] = 0;
  s.finish("a1", "t1");
  EXPECT_THAT(s.take<Acknowledge>("a1"), SizeIs(1));
  EXPECT_EQ(s.updates("f"), "");
}

TEST_F(Tasks, NothingFollowsATerminalState) {
  s.finish("a1", "t1");
  s.updates("f");
  s.status("a1", "t1", TaskState::failed);
  s.status("a1", "t1", TaskState::running);
  EXPECT_EQ(s.updates("f"), "");
  EXPECT_THAT(s.take<Acknowledge>("a1"), SizeIs(2)) << "the agent need not repeat them";
}

TEST_F(Tasks, FailuresAreCounted) {
  s.status("a1", "t1", TaskState::failed);
  EXPECT_EQ(s.describe("f").tasks_failed, 1u);
  EXPECT_EQ(s.describe("f").tasks_finished, 0u);
  EXPECT_EQ(s.describe("f").tasks_launched, 1u);
}

TEST_F(Tasks, AStatusOfAnotherTaskThanItsLaunchIsRefused) {
  auto launch = s.client("a1").launches.at("t1");
  TaskStatus status;
  status.framework = launch.framework;
  status.task = {"t2"};
  status.seq = 1;
  status.state = TaskState::running;
  s.say("a1", Status{launch.launch, status});
  EXPECT_EQ(s.error("a1"), ErrorCode::invalid);
}

TEST_F(Tasks, AStatusFromAnotherAgentIsNotBelieved) {
  s.agent("a2", 1);
  s.client("a2").launches = s.client("a1").launches;
  s.finish("a2", "t1");
  EXPECT_EQ(s.updates("f"), "");
}

TEST_F(Tasks, ARunThatNobodyKnowsIsKilled) {
  TaskStatus status;
  status.framework = s.client("f").framework;
  status.task = {"ghost"};
  status.seq = 1;
  status.state = TaskState::running;
  s.say("a1", Status{{kEpoch.value, 77}, status});
  EXPECT_THAT(s.take<Kill>("a1"), SizeIs(1));
  EXPECT_THAT(s.take<Acknowledge>("a1"), SizeIs(1));
}

// ---- kill ----

TEST_F(Tasks, KillGoesToTheAgentUntilTheTaskHasEnded) {
  s.ack_launch("a1", "t1");
  s.say("f", Kill{s.client("f").framework, {"t1"}, 5 * kSecond});
  const auto kills = s.take<Kill>("a1");
  ASSERT_THAT(kills, SizeIs(1));
  EXPECT_EQ(kills[0].grace, 5 * kSecond);
  s.pass(4 * kSecond);
  EXPECT_THAT(s.take<Kill>("a1"), SizeIs(2)) << "after 1 and 3 s";
  s.status("a1", "t1", TaskState::killed);
  s.pass(60 * kSecond);
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
  EXPECT_EQ(s.updates("f"), "t1 KILLED");
}

TEST_F(Tasks, KillOfAnUnknownTaskIsAnError) {
  s.say("f", Kill{s.client("f").framework, {"t9"}, {}});
  EXPECT_EQ(s.error("f"), ErrorCode::not_found);
}

TEST_F(Tasks, KillOfAnEndedTaskHasNoEffect) {
  s.finish("a1", "t1");
  s.acknowledge("f", "t1", 1);
  s.say("f", Kill{s.client("f").framework, {"t1"}, {}});
  EXPECT_EQ(s.error("f"), std::nullopt);
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
}

TEST_F(Tasks, NobodyKillsSomebodyElsesTask) {
  s.framework("g");
  s.say("g", Kill{s.client("f").framework, {"t1"}, {}});
  EXPECT_EQ(s.error("g"), ErrorCode::not_found);
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
}

// ---- messages and outputs ----

TEST_F(Tasks, MessagesGoBothWays) {
  const auto framework = s.client("f").framework;
  s.say("f", TaskMessage{framework, {"t1"}, "hello"});
  const auto down = s.take<TaskMessage>("a1");
  ASSERT_THAT(down, SizeIs(1));
  EXPECT_EQ(down[0].payload, "hello");
  EXPECT_EQ(down[0].framework, framework);
  s.say("a1", TaskMessage{framework, {"t1"}, "yes?"});
  const auto up = s.take<TaskMessage>("f");
  ASSERT_THAT(up, SizeIs(1));
  EXPECT_EQ(up[0].payload, "yes?");
}

TEST_F(Tasks, MessagesOfUnknownTasksGoNowhere) {
  s.agent("a2", 1);
  s.say("f", TaskMessage{{}, {"t9"}, "hello"});
  s.say("a2", TaskMessage{s.client("f").framework, {"t1"}, "I am not its agent"});
  EXPECT_THAT(s.take<TaskMessage>("a1"), IsEmpty());
  EXPECT_THAT(s.take<TaskMessage>("f"), IsEmpty());
}

TEST_F(Tasks, ReleaseGoesToTheAgentsThatRanTheJob) {
  s.agent("a2", 1);
  s.say("f", Release{{}, kJob});
  const auto releases = s.take<Release>("a1");
  ASSERT_THAT(releases, SizeIs(1));
  EXPECT_EQ(releases[0].framework, s.client("f").framework);
  EXPECT_EQ(releases[0].job, kJob);
  EXPECT_THAT(s.take<Release>("a2"), IsEmpty());
  s.say("f", Release{{}, kJob});
  EXPECT_THAT(s.take<Release>("a1"), IsEmpty());
}

TEST_F(Tasks, ReleaseOfAllJobsGoesToAllAgents) {
  s.agent("a2", 1);
  s.say("f", Release{{}, {}});
  for (const auto* agent : {"a1", "a2"}) EXPECT_THAT(s.take<Release>(agent), SizeIs(1));
}

// ---- acknowledgements of what the allocator wrote itself ----

TEST_F(Tasks, AnAcknowledgementOfUnreachableIsNoneOfLost) {
  Stage lossy{[] {
    auto config = AllocatorConfig{};
    config.heartbeat = kSecond;
    return config;
  }()};
  lossy.agent("a1", 1);
  lossy.framework("f", {.demand = 1});
  lossy.run("f", "a1", "t1");
  lossy.client("a1").mute = true;
  lossy.pass(31 * kSecond);
  const auto unreachable = lossy.take<Update>("f").back().status;
  ASSERT_EQ(unreachable.state, TaskState::unreachable);
  lossy.say_first("a1", lossy.registration("a1", {{kMap, 1}}));
  lossy.acknowledge("f", "t1", lossy.number_of(unreachable));
  const auto lost = lossy.take<Update>("f").back().status;
  ASSERT_EQ(lost.state, TaskState::lost);
  lossy.pass(2 * kSecond);
  EXPECT_EQ(lossy.updates("f"), "t1 LOST(agent-lost)") << "it is still owed";
  lossy.acknowledge("f", "t1", lossy.number_of(lost));
  lossy.pass(20 * kSecond);
  EXPECT_EQ(lossy.updates("f"), "");
}

TEST_F(Tasks, UpdatesAreNumberedAnewAndAcknowledgedByTheAgentsNumbers) {
  s.client("a1").seqs["t1"] = 6;
  s.status("a1", "t1", TaskState::running);
  const auto running = s.take<Update>("f").back().status;
  EXPECT_EQ(s.number_of(running), 1u);
  s.acknowledge("f", "t1", 1);
  ASSERT_THAT(s.take<Acknowledge>("a1"), SizeIs(1));
  s.finish("a1", "t1");
  EXPECT_EQ(s.number_of(s.take<Update>("f").back().status), 2u);
  s.acknowledge("f", "t1", 2);
  EXPECT_EQ(s.take<Acknowledge>("a1").back().seq, 8u);
}

TEST_F(Tasks, AnEndIsRepeatedByTheAllocatorWhileItsAgentIsAway) {
  s.finish("a1", "t1");
  s.updates("f");
  s.pass(2 * kSecond);
  EXPECT_EQ(s.updates("f"), "") << "the agent repeats it";
  s.lose("a1");
  s.pass(2 * kSecond);
  EXPECT_EQ(s.updates("f"), "t1 FINISHED");
  s.acknowledge("f", "t1", 1);
  s.pass(20 * kSecond);
  EXPECT_EQ(s.updates("f"), "");
}

TEST_F(Tasks, AnAgentThatIsBackHearsThatItsEndIsAcknowledgedOnlyWhenItIs) {
  s.finish("a1", "t1");
  s.lose("a1");
  s.pass(2 * kSecond);
  s.reconnect("a1");
  s.say_first("a1", s.registration("a1", {{kMap, 1}}));
  s.take<Acknowledge>("a1");
  s.client("a1").seqs["t1"] = 0;
  s.finish("a1", "t1");
  EXPECT_THAT(s.take<Acknowledge>("a1"), IsEmpty()) << "only the agent has it on a disk";
  s.acknowledge("f", "t1", 1);
  EXPECT_THAT(s.take<Acknowledge>("a1"), SizeIs(1));
}

// ---- those who do not acknowledge ----

TEST(UnacknowledgedEnds, AreNobodysAffairButTheirFrameworks) {
  Stage s;
  s.check_every(100);
  s.framework("lazy", {.demand = limits::kSlotsPerAgent});
  s.agent("a1", limits::kSlotsPerAgent);
  std::vector<std::string> tasks;
  for (int i = 0; i < limits::kSlotsPerAgent; ++i) tasks.push_back("t" + std::to_string(i));
  s.accept("lazy", "a1", tasks);
  for (const auto& task : tasks) s.finish("a1", task);
  s.framework("other");
  s.decline("lazy", "a1", {DeclineReason::other, {}, 1});
  EXPECT_EQ(s.accept("other", "a1", {"o1"}, {DeclineReason::other, std::nullopt, 1}), "o1");
  s.revive("lazy");
  EXPECT_EQ(s.accept("lazy", "a1", {"one-more"}), "one-more=REJECTED(agent-refused)");
  s.acknowledge("lazy", "t0", 1);
  s.revive("lazy");
  EXPECT_EQ(s.accept("lazy", "a1", {"one-more"}), "one-more");
}

// ---- frameworks that are gone ----

TEST_F(Tasks, AKillForWantOfItsFrameworkSaysSo) {
  s.status("a1", "t1", TaskState::running);
  s.say("f", Teardown{});
  TaskStatus killed;
  killed.framework = s.client("f").framework;
  killed.task = {"t1"};
  killed.seq = 2;
  killed.state = TaskState::killed;
  killed.reason = TaskReason::kill_requested;
  s.say("a1", Status{s.client("a1").launches.at("t1").launch, killed});
  const auto changed = s.traces<TaskChanged>();
  ASSERT_FALSE(changed.empty());
  EXPECT_EQ(changed.back().state, TaskState::killed);
  EXPECT_EQ(changed.back().reason, TaskReason::framework_gone);
}

TEST_F(Tasks, ChangesAreTraced) {
  s.status("a1", "t1", TaskState::running);
  s.finish("a1", "t1");
  const auto changed = s.traces<TaskChanged>();
  ASSERT_THAT(changed, SizeIs(2));
  EXPECT_EQ(changed[1].state, TaskState::finished);
  EXPECT_EQ(changed[1].agent, s.client("a1").agent);
}

}  // namespace
}  // namespace proffer
