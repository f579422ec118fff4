// A framework that ends and comes back as another process, with its records; and two processes of one id.
#include "tests/frameworks/session_world.hpp"

namespace proffer::testing {
namespace {

FrameworkConfig keeping() {
  auto config = config_for_tests();
  config.keeps = true;
  return config;
}

struct ResumeTest : ::testing::Test {
  ResumeTest() {
    first.subscribe();
    first.sent();
    first.scheduler.take_log();
  }
  /// The state in the record of a task.
  TaskState kept_state(const std::string& task) {
    for (const auto& record : first.kept_of<KeptTask>()) {
      if (record.task.value == task) return record.state;
    }
    ADD_FAILURE() << "nothing is kept of " << task;
    return {};
  }
  SessionWorld first{keeping()};
};

/// What was done, in order: records by kind, messages by name.
std::vector<std::string> names_of(const Actions& actions) {
  std::vector<std::string> names;
  for (const auto& action : actions) {
    if (const auto* send = std::get_if<Send>(&action)) names.emplace_back(type_name(send->envelope.message));
    if (std::holds_alternative<DropRecord>(action)) names.emplace_back("drop");
    const auto* keep = std::get_if<KeepRecord>(&action);
    if (keep == nullptr) continue;
    names.emplace_back(std::holds_alternative<KeptNote>(keep->record)   ? "note"
                       : std::holds_alternative<KeptTask>(keep->record) ? "task"
                                                                        : "record");
  }
  return names;
}

TEST_F(ResumeTest, ItsIdAndTheAllocatorAreKeptWhenASessionBegins) {
  EXPECT_EQ(first.kept_of<KeptIdentity>(),
            (std::vector<KeptIdentity>{{first.framework_id, first.secret, 1}}));
  EXPECT_EQ(first.kept_of<KeptServer>(),
            (std::vector<KeptServer>{{ServerRole::allocator, first.cluster, first.epoch, 77}}));
}

TEST_F(ResumeTest, NothingIsKeptUnlessItIsAskedFor) {
  SessionWorld world;
  world.subscribe();
  world.call([](Driver& driver) {
    EXPECT_FALSE(driver.keeps());
    driver.keep("a", "b");
  });
  world.run("t");
  world.update("t", 1, TaskState::finished);
  EXPECT_THAT(world.kept(), IsEmpty());
}

TEST_F(ResumeTest, ATaskIsKeptBeforeItsAcceptGoesOut) {
  first.offer_slots(1);
  first.actions.clear();
  first.launch(1, "t");
  EXPECT_THAT(names_of(first.actions), ElementsAre("task", "ACCEPT"));
  EXPECT_EQ(kept_state("t"), TaskState::pending);
}

TEST_F(ResumeTest, NotesComeBeforeTheStatusIsKeptAndThatBeforeTheAcknowledgement) {
  first.run("t");
  first.scheduler.on_status = [](Driver& driver) {
    driver.revive();
    driver.keep("made", "t");
  };
  first.actions.clear();
  first.update("t", 1, TaskState::finished);
  EXPECT_THAT(names_of(first.actions), ElementsAre("note", "task", "ACKNOWLEDGE", "REVIVE"));
  EXPECT_EQ(kept_state("t"), TaskState::finished);
}

TEST_F(ResumeTest, AnEndThatIsHeldIsKeptWhenTheSchedulerIsDoneWithIt) {
  first.run("t");
  first.update("t", 1, TaskState::running);
  first.scheduler.on_status = [](Driver& driver) { driver.hold({"t"}); };
  first.update("t", 2, TaskState::finished);
  EXPECT_EQ(kept_state("t"), TaskState::running);
  first.call([](Driver& driver) { driver.acknowledge({"t"}); });
  EXPECT_EQ(kept_state("t"), TaskState::finished);
}

TEST_F(ResumeTest, ATaskIsForgottenTenMinutesAfterItsEnd) {
  first.run("t");
  first.update("t", 1, TaskState::finished);
  first.pass(10min);
  EXPECT_THAT(first.kept_of<KeptTask>(), SizeIs(1));
  first.pass(5s);
  EXPECT_THAT(first.kept_of<KeptTask>(), IsEmpty());
}

TEST_F(ResumeTest, ANoteIsReplacedAndForgotten) {
  first.call([](Driver& driver) { driver.keep("a", "1"); });
  first.call([](Driver& driver) { driver.keep("a", "2"); });
  first.call([](Driver& driver) { driver.keep("b", "3"); });
  EXPECT_EQ(first.kept_of<KeptNote>(), (std::vector<KeptNote>{{"a", "2"}, {"b", "3"}}));
  first.call([](Driver& driver) { driver.forget("a"); });
  EXPECT_EQ(first.kept_of<KeptNote>(), (std::vector<KeptNote>{{"b", "3"}}));
}

TEST_F(ResumeTest, AnotherProcessComesBackUnderTheIdAsANewcomerToIt) {
  auto config = keeping();
  config.instance = 99;
  SessionWorld second(config, first.kept());
  second.step(TimePassed{});
  const auto sent = second.sent_to(kAllocatorPeer);
  ASSERT_THAT(sent, SizeIs(1));
  EXPECT_EQ(sent[0].cluster, first.cluster);
  EXPECT_EQ(sent[0].epoch, first.epoch);
  const auto& subscribe = std::get<Subscribe>(sent[0].message);
  EXPECT_EQ(subscribe.framework, first.framework_id);
  EXPECT_EQ(subscribe.secret, first.secret);
  EXPECT_EQ(subscribe.instance, 99u);
  EXPECT_EQ(subscribe.framework_epoch, 0u);
}

TEST_F(ResumeTest, TheSameProcessShowsTheEpochThatItWasGiven) {
  first.lose_connection();
  first.pass(1s);
  const auto again = first.sent_of<Subscribe>();
  ASSERT_FALSE(again.empty());
  EXPECT_EQ(again[0].framework_epoch, 1u);
  EXPECT_NE(again[0].instance, 0u);
}

TEST_F(ResumeTest, ItsSchedulerHearsOfFormerTasksAndNotesFirstOfAll) {
  first.call([](Driver& driver) { driver.keep("plan", "7"); });
  first.run("b");
  first.update("b", 1, TaskState::running);
  first.run("a");
  first.run("done");
  first.update("done", 1, TaskState::finished);
  SessionWorld second(keeping(), first.kept());
  second.step(TimePassed{});
  EXPECT_THAT(second.scheduler.take_log(),
              ElementsAre("resumed b RUNNING a PENDING done FINISHED plan=7", "started"));
}

TEST_F(ResumeTest, FormerTasksAreAskedAboutAndGoOn) {
  first.run("t");
  first.update("t", 1, TaskState::running);
  first.run("swallowed");
  SessionWorld second(keeping(), first.kept());
  second.subscribe();
  const auto asked = second.sent_of<Reconcile>();
  ASSERT_THAT(asked, SizeIs(2));
  EXPECT_EQ(asked[0].tasks, (std::vector<TaskAt>{{{"swallowed"}, agent_id(2)}, {{"t"}, agent_id(1)}}));
  EXPECT_THAT(asked[1].tasks, IsEmpty()) << "whatever the allocator knows";
  second.scheduler.take_log();
  second.reconciled("swallowed", Known::unknown);
  second.reconciled("t", Known::known, TaskState::running);
  second.update("t", 1, TaskState::running);
  second.update("t", 2, TaskState::finished);
  EXPECT_THAT(second.scheduler.take_log(), ElementsAre("swallowed DROPPED never-arrived", "t FINISHED none"));
}

TEST_F(ResumeTest, AStatusThatTheFormerProcessHandledIsAcknowledgedOnly) {
  first.run("t");
  first.update("t", 1, TaskState::finished);
  SessionWorld second(keeping(), first.kept());
  second.subscribe();
  second.scheduler.take_log();
  second.sent();
  second.update("t", 1, TaskState::finished);
  EXPECT_THAT(second.scheduler.take_log(), IsEmpty());
  EXPECT_THAT(second.sent_names(), ElementsAre("ACKNOWLEDGE"));
}

TEST_F(ResumeTest, TasksThatNobodyRemembersAreKilledUntilNoAgentIsAwaited) {
  SessionWorld second(keeping(), first.kept());
  second.subscribe();
  second.sent();
  const KnownTask stranger{{"stranger"}, {}, Known::known, TaskState::running, {}, {}};
  second.say(Reconciled{1, {stranger}, true, false});
  EXPECT_THAT(second.sent_of<Kill>(), SizeIs(1));
  second.pass(1s);
  EXPECT_THAT(second.sent_of<Reconcile>(), SizeIs(1));
  second.say(Reconciled{2, {}, true, true});
  second.pass(2s);
  second.say(Heartbeat{});
  second.pass(2s);
  EXPECT_THAT(second.sent_of<Reconcile>(), IsEmpty());
}

TEST_F(ResumeTest, ATaskIdOfAFormerProcessIsKnown) {
  first.run("t");
  SessionWorld second(keeping(), first.kept());
  second.subscribe();
  second.call([](Driver& driver) { driver.kill({"t"}); });
  EXPECT_THAT(second.sent_of<Kill>(), SizeIs(1));
}

TEST_F(ResumeTest, ASchedulerThatDoesNotResumeLosesWhatFormerProcessesBegan) {
  class Plain final : public Scheduler {
   public:
    void resource_offers(Driver&, const Offers&) override {}
    void status_update(Driver&, const TaskStatus& status) override { ADD_FAILURE() << status.task.value; }
  };
  first.run("t");
  Plain plain;
  Framework framework(keeping(), plain, Random(3), first.kept());
  Actions actions;
  framework.step(TimePassed{}, actions, first.now);
  EXPECT_THAT(names_of(actions), ElementsAre("drop", "SUBSCRIBE"));
  actions.clear();
  const Subscribed welcome{first.framework_id, 2, 1s, "", first.secret, 77};
  framework.step(MessageReceived{kAllocatorPeer, {first.cluster, first.epoch, {5}, 1, welcome}}, actions,
                 first.now);
  EXPECT_THAT(names_of(actions), ::testing::Contains("RECONCILE"));
  actions.clear();
  const KnownTask known{{"t"}, {}, Known::known, TaskState::running, {}, {}};
  const Reconciled page{1, {known}, true, true};
  framework.step(MessageReceived{kAllocatorPeer, {first.cluster, first.epoch, {5}, 2, page}}, actions,
                 first.now);
  EXPECT_THAT(names_of(actions), ElementsAre("KILL"));
}

TEST_F(ResumeTest, AnIdThatTheAllocatorHasGivenUpEndsFormerTasks) {
  first.run("t");
  SessionWorld second(keeping(), first.kept());
  second.step(TimePassed{});
  second.scheduler.take_log();
  second.refuse(ErrorCode::unknown_framework);
  EXPECT_THAT(second.scheduler.take_log(), ElementsAre("t LOST framework-gone"));
  EXPECT_EQ(second.kept_of<KeptTask>().size(), 1u);
  EXPECT_EQ(second.kept_of<KeptTask>().at(0).state, TaskState::lost);
}

TEST_F(ResumeTest, AnotherClusterIsRefusedOverRestarts) {
  SessionWorld second(keeping(), first.kept());
  second.cluster = {{8, 8}};
  second.subscribe();
  EXPECT_TRUE(second.framework.finished());
  EXPECT_THAT(second.scheduler.log.back(), HasSubstr("another cluster"));
}

TEST_F(ResumeTest, AnEarlierEpochIsNotBelievedOverRestarts) {
  first.epoch = {5};
  first.lose_connection();
  first.subscribe();
  SessionWorld second(keeping(), first.kept());
  second.epoch = {4};
  second.subscribe();
  EXPECT_FALSE(second.framework.subscribed());
  second.epoch = {5};
  second.subscribe();
  EXPECT_TRUE(second.framework.subscribed());
}

TEST_F(ResumeTest, ATwinOfTheAllocatorIsRefusedAndTheFirstWaitedFor) {
  first.lose_connection();
  first.incarnation = 78;
  first.subscribe();
  EXPECT_FALSE(first.framework.subscribed());
  EXPECT_FALSE(first.framework.finished());
  ASSERT_TRUE(first.framework.refused());
  EXPECT_EQ(first.framework.refused()->code, ErrorCode::split_brain);
  first.incarnation = 77;
  first.pass(10s);
  first.subscribe();
  EXPECT_TRUE(first.framework.subscribed());
}

TEST_F(ResumeTest, WhoIsReplacedByAnotherProcessStopsForGood) {
  first.call([](Driver& driver) { driver.keep("plan", "7"); });
  first.scheduler.on_disconnected = [](Driver& driver) { driver.forget("plan"); };
  first.refuse(ErrorCode::fenced);
  EXPECT_TRUE(first.framework.finished());
  EXPECT_EQ(
      first.scheduler.take_log(),
      (std::vector<std::string>{"failed another process has taken this framework over; this one stops"}));
  EXPECT_THAT(first.kept_of<KeptNote>(), SizeIs(1)) << "it is the other process's now";
  EXPECT_EQ(first.framework.next_deadline(), std::nullopt);
}

// The world checks the invariants after each step.
TEST_F(ResumeTest, WhoIsReplacedWhileAnAcceptIsOpenWaitsForNoVerdict) {
  first.offer_slots(++first.last_offer);
  first.launch(first.last_offer, "t");
  first.refuse(ErrorCode::fenced);
  EXPECT_TRUE(first.framework.finished());
}

TEST_F(ResumeTest, AGoodbyeOfTheAllocatorEndsTheSessionAndNothingElse) {
  first.run("t");
  first.say(Bye{"it is being stopped"});
  EXPECT_FALSE(first.framework.subscribed());
  EXPECT_THAT(first.scheduler.take_log(), ElementsAre("disconnected"));
  first.pass(1s);
  EXPECT_FALSE(first.sent_of<Subscribe>().empty());
}

FrameworkConfig given(std::uint64_t number) {
  auto config = config_for_tests();
  config.given = KeptIdentity{{{0, 9}}, {{5, 9}}, number << 32};
  return config;
}

TEST(GivenIdentity, IsClaimedUntilThereHasBeenASession) {
  SessionWorld world(given(2));
  world.step(TimePassed{});
  const auto hello = world.sent_of<Subscribe>().at(0);
  EXPECT_EQ(hello.framework, (FrameworkId{{0, 9}}));
  EXPECT_EQ(hello.secret, (Secret{{5, 9}}));
  EXPECT_EQ(hello.framework_epoch, 2ull << 32);
  EXPECT_TRUE(hello.claims);
  world.subscribe();
  world.sent();
  world.lose_connection();
  world.pass(10s);
  const auto again = world.sent_of<Subscribe>().at(0);
  EXPECT_FALSE(again.claims);
  EXPECT_EQ(again.framework_epoch, 1u);
}

TEST(GivenIdentity, WhatAFormerProcessHasLeftIsKilled) {
  SessionWorld world(given(2));
  world.subscribe();
  const auto asked = world.sent_of<Reconcile>();
  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_THAT(asked[0].tasks, IsEmpty()) << "all are asked about";
  world.say(
      Reconciled{asked[0].request, {{{"old"}, {}, Known::known, TaskState::running, {}, {}}}, true, true});
  EXPECT_EQ(world.sent_of<Kill>().at(0).task.value, "old");
}

TEST(GivenIdentity, OnceItIsGivenUpTheFrameworkIsOver) {
  SessionWorld world(given(2));
  world.subscribe();
  world.lose_connection();
  world.pass(1s);
  world.scheduler.take_log();
  world.refuse(ErrorCode::unknown_framework);
  EXPECT_TRUE(world.framework.finished());
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre(HasSubstr("failed the allocator has given")));
}

TEST_F(ResumeTest, AnEndThatIsHeldForLongIsHeardAnewByTheNextProcess) {
  first.run("t");
  first.scheduler.on_status = [](Driver& driver) { driver.hold({"t"}); };
  first.update("t", 1, TaskState::finished);
  first.pass(11min);
  EXPECT_EQ(kept_state("t"), TaskState::pending) << "as before its end";
  first.call([](Driver& driver) { driver.acknowledge({"t"}); });
  EXPECT_THAT(first.kept_of<KeptTask>(), IsEmpty());
}

}  // namespace
}  // namespace proffer::testing
