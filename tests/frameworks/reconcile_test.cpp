// Tasks of which the allocator may not have told: what is asked, when, and what follows from the answers.
#include "proffer/limits.hpp"
#include "tests/frameworks/session_world.hpp"

namespace proffer::testing {
namespace {

struct ReconcileTest : ::testing::Test {
  ReconcileTest() {
    world.subscribe();
    world.sent();
    world.scheduler.take_log();
  }
  /// Beats of an allocator that believes in these tasks.
  void beat(const TaskDigest& theirs, int beats) {
    for (int i = 0; i < beats; ++i) {
      Heartbeat heartbeat;
      heartbeat.tasks = theirs;
      world.say(heartbeat);
    }
  }
  TaskDigest digest_of(const std::string& task) const {
    return {1, hash_of_task(world.framework_id, {task})};
  }
  SessionWorld world;
};

TEST_F(ReconcileTest, AskedOfANewAllocatorAboutEveryTaskThatHasNotEnded) {
  world.run("done");
  world.update("done", 1, TaskState::finished);
  world.run("t");
  world.update("t", 1, TaskState::running);
  world.restart_allocator();
  const auto asked = world.sent_of<Reconcile>();
  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_EQ(asked[0].tasks, (std::vector<TaskAt>{{{"t"}, agent_id(2)}}));
}

TEST_F(ReconcileTest, NotAskedOfTheSameAllocatorInANewSession) {
  world.run("t");
  world.lose_connection();
  world.subscribe();
  EXPECT_THAT(world.sent_of<Reconcile>(), IsEmpty());
}

TEST_F(ReconcileTest, AnAcceptThatANewAllocatorDoesNotKnowIsNotSentAgain) {
  world.offer_slots(1);
  world.launch(1, "t");
  world.scheduler.take_log();
  world.restart_allocator();
  world.sent();
  world.pass(4s);
  world.say(Heartbeat{});
  EXPECT_THAT(world.sent_of<Accept>(), IsEmpty());
  world.reconciled("t", Known::unknown);
  EXPECT_THAT(world.scheduler.take_log(),
              ElementsAre("disconnected", "subscribed", "t DROPPED never-arrived"));
}

TEST_F(ReconcileTest, AnAcceptIsSentAgainToTheSameAllocator) {
  world.offer_slots(1);
  world.launch(1, "t");
  world.lose_connection();
  world.sent();
  world.subscribe();
  EXPECT_THAT(world.sent_of<Accept>(), SizeIs(1));
}

TEST_F(ReconcileTest, ATaskWhoseAgentIsAwaitedIsAskedAboutEverMoreRarely) {
  world.run("t");
  world.restart_allocator();
  EXPECT_THAT(world.sent_of<Reconcile>(), SizeIs(1));
  std::vector<int> asked_at;
  for (int second = 1; second <= 40; ++second) {
    world.reconciled("t", Known::awaited);
    world.pass(1s);
    if (!world.sent_of<Reconcile>().empty()) asked_at.push_back(second);
  }
  EXPECT_THAT(asked_at, ElementsAre(1, 3, 7, 15, 25, 35));
  world.scheduler.take_log();
  world.reconciled("t", Known::known, TaskState::pending);
  world.pass(3s);
  world.say(Heartbeat{});
  world.pass(3s);
  world.say(Heartbeat{});
  world.pass(4s);
  EXPECT_THAT(world.sent_of<Reconcile>(), IsEmpty());
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
}

TEST_F(ReconcileTest, AStateThatIsNewsIsToldOnce) {
  world.run("t");
  world.update("t", 1, TaskState::running);
  world.restart_allocator();
  world.scheduler.take_log();
  world.reconciled("t", Known::known, TaskState::unreachable);
  world.reconciled("t", Known::known, TaskState::unreachable);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t UNREACHABLE agent-lost"));
  world.update("t", 1ull << 32, TaskState::running);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t RUNNING none"));
}

TEST_F(ReconcileTest, ATaskThatIsUnreachableIsAskedAboutUntilItsAgentIsBack) {
  world.run("t");
  world.update("t", 1, TaskState::running);
  world.restart_allocator();
  world.reconciled("t", Known::known, TaskState::unreachable);
  world.sent();
  world.scheduler.take_log();
  world.pass(1s);
  EXPECT_THAT(world.sent_of<Reconcile>(), SizeIs(1));
  world.reconciled("t", Known::unknown);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t LOST agent-lost"));
  world.pass(1s);
  world.say(Heartbeat{});
  world.pass(1s);
  EXPECT_THAT(world.sent_of<Reconcile>(), IsEmpty());
}

TEST_F(ReconcileTest, ATaskIsAskedAboutNoMoreOnceItsAllocatorHasToldOfItByUpdate) {
  world.run("t");
  world.restart_allocator();
  world.reconciled("t", Known::awaited);
  world.sent();
  world.update("t", 1ull << 32, TaskState::unreachable);
  world.pass(1s);
  EXPECT_THAT(world.sent_of<Reconcile>(), SizeIs(1)) << "a later allocator may not know of it";
  world.update("t", (1ull << 32) + 1, TaskState::running);
  for (int beats = 0; beats < 10; ++beats) {
    world.say(Heartbeat{});
    world.pass(2s);
  }
  EXPECT_THAT(world.sent_of<Reconcile>(), IsEmpty());
}

TEST_F(ReconcileTest, ADigestThatDiffersIsAskedAboutAlsoWhileATaskIsUnreachable) {
  world.run("t");
  world.restart_allocator();
  world.run("later");
  world.reconciled("t", Known::known, TaskState::unreachable);
  beat(digest_of("t"), 3);
  const auto asked = world.sent_of<Reconcile>();
  ASSERT_THAT(asked, SizeIs(2));
  EXPECT_THAT(asked[0].tasks, SizeIs(2));
}

TEST_F(ReconcileTest, ATaskThatRanAndIsNotAtItsAgentAnyMoreIsLost) {
  world.run("t");
  world.update("t", 1, TaskState::running);
  world.restart_allocator();
  world.scheduler.take_log();
  world.reconciled("t", Known::unknown);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t LOST agent-lost"));
}

TEST_F(ReconcileTest, TheEndOfAProcessIsToldByItsUpdateAlone) {
  world.run("t");
  world.restart_allocator();
  world.scheduler.take_log();
  world.reconciled("t", Known::known, TaskState::finished);
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
  world.update("t", 1, TaskState::finished);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t FINISHED none"));
}

TEST_F(ReconcileTest, ATaskOfAnAgentThatIsGoneEnds) {
  world.run("t");
  world.restart_allocator();
  world.scheduler.take_log();
  world.reconciled("t", Known::known, TaskState::gone);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t GONE agent-gone"));
}

TEST_F(ReconcileTest, ManyTasksAreAskedAboutInPages) {
  const auto most = limits::kTasksPerAccept;
  world.offer_slots(1);
  world.call([&](Driver& driver) {
    std::vector<TaskSpec> tasks;
    for (std::size_t i = 0; i < most; ++i) tasks.push_back({{"t" + std::to_string(i)}, {}, {}, nullptr});
    driver.accept({OfferId{1, 1}}, std::move(tasks));
  });
  world.offer_slots(2);
  world.launch(2, "u");
  world.restart_allocator();
  const auto pages = world.sent_of<Reconcile>();
  ASSERT_THAT(pages, SizeIs(2));
  EXPECT_EQ(pages[0].tasks.size(), most);
  EXPECT_EQ(pages[1].tasks.size(), 1u);
  EXPECT_NE(pages[0].request, pages[1].request);
}

TEST_F(ReconcileTest, HeartbeatsTellTheTasksThatTheAllocatorIsKnownToHave) {
  world.run("t");
  world.offer_slots(9);
  world.launch(9, "unconfirmed");
  world.sent();
  world.pass(1s);
  const auto beats = world.sent_of<Heartbeat>();
  ASSERT_FALSE(beats.empty());
  EXPECT_EQ(beats.back().tasks, digest_of("t"));
  world.update("t", 1, TaskState::finished);
  world.pass(1s);
  EXPECT_EQ(world.sent_of<Heartbeat>().back().tasks, TaskDigest{});
}

TEST_F(ReconcileTest, ADigestThatDiffersThreeTimesInARowIsAskedAbout) {
  world.run("t");
  beat(digest_of("other"), 2);
  beat(digest_of("t"), 1);
  beat(digest_of("other"), 2);
  EXPECT_THAT(world.sent_of<Reconcile>(), IsEmpty());
  beat(digest_of("other"), 1);
  const auto asked = world.sent_of<Reconcile>();
  ASSERT_THAT(asked, SizeIs(2)) << "about ours, and about all of theirs";
  EXPECT_THAT(asked[0].tasks, SizeIs(1));
  EXPECT_THAT(asked[1].tasks, IsEmpty());
}

TEST_F(ReconcileTest, WhereAskingDoesNotHelpItIsDoneEverMoreRarely) {
  world.run("t");
  int asked = 0;
  for (int second = 0; second < 600; ++second) {
    beat({2, 99}, 1);
    for (const auto& one : world.sent_of<Reconcile>()) {
      if (one.tasks.empty()) ++asked;
      auto answer = Reconciled{one.request, {}, true, true};
      for (const auto& task : one.tasks) answer.tasks.push_back({task.task, {}, Known::known, {}, {}, {}});
      world.say(answer);
    }
    world.pass(1s);
  }
  EXPECT_GE(asked, 3);
  EXPECT_LE(asked, 7);
}

TEST_F(ReconcileTest, ATaskThatOnlyTheAllocatorKnowsIsKilled) {
  world.run("t");
  beat({2, 99}, 3);
  world.sent();
  world.reconciled("stranger", Known::known, TaskState::running);
  EXPECT_EQ(world.sent_of<Kill>(), (std::vector<Kill>{{world.framework_id, {"stranger"}, 0s}}));
  world.reconciled("stranger", Known::known, TaskState::finished);
  EXPECT_THAT(world.sent_of<Kill>(), IsEmpty());
}

TEST_F(ReconcileTest, ATaskThatWaitsForItsVerdictIsLeftToIt) {
  world.offer_slots(1);
  world.launch(1, "t");
  world.scheduler.take_log();
  world.reconciled("t", Known::unknown);
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
  world.verdict(1, "t", true);
  world.update("t", 1, TaskState::running);
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("t RUNNING none"));
}

TEST_F(ReconcileTest, HeartbeatsSayWhatIsSuppressedAndHowOftenItWasRevived) {
  const auto last_beat = [&] {
    world.sent();
    world.say(Heartbeat{});
    world.pass(1s);
    return world.sent_of<Heartbeat>().back();
  };
  world.call([](Driver& driver) {
    driver.set_demand(kMap, 2);
    driver.set_demand(kReduce, 2);
    driver.suppress({kReduce});
    driver.revive({kMap});
  });
  auto beat = last_beat();
  EXPECT_THAT(beat.suppressed, ElementsAre(kReduce));
  EXPECT_FALSE(beat.all_suppressed);
  EXPECT_EQ(beat.revives, 1u);
  world.call([](Driver& driver) { driver.suppress(); });
  beat = last_beat();
  EXPECT_TRUE(beat.all_suppressed);
  world.call([](Driver& driver) { driver.revive(); });
  beat = last_beat();
  EXPECT_THAT(beat.suppressed, IsEmpty());
  EXPECT_FALSE(beat.all_suppressed);
  EXPECT_EQ(beat.revives, 2u);
  world.subscribe();
  EXPECT_EQ(last_beat().revives, 0u);
}

}  // namespace
}  // namespace proffer::testing
