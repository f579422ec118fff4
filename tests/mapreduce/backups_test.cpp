// A job with a straggler: its backup, and what becomes of the two attempts.
#include "frameworks/mapreduce/task_table.hpp"
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using mapreduce::TaskTable;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// ---- the table ----

/// One map that runs on a1, and has a backup that waits for a slot.
struct Pair {
  TaskTable table{JobId{3}, 'm', 1};
  TaskId first = table.open(0);
  TaskId backup;
  Pair() {
    table.launch(first, agent_id("a1"), Locality::node, {});
    backup = table.open_backup(0);
  }
  void launch() { table.launch(backup, agent_id("a2"), Locality::any, {}); }
  ~Pair() { table.check_invariants(); }
};

TEST(TaskTableBackup, IsOpenBesideARunningTask) {
  Pair two;
  EXPECT_EQ(two.table.backup(0), two.backup);
  EXPECT_THAT(two.table.open_tasks(), IsEmpty());
  EXPECT_THAT(two.table.opened(), SizeIs(1));
  EXPECT_EQ(two.table.progress(), (TaskProgress{1, 1, 0}));
  two.table.close(two.backup);
  EXPECT_EQ(two.table.backup(0), TaskId{});
  EXPECT_TRUE(two.table.runs(0));
}

TEST(TaskTableBackup, TwoThatRunCountAsOneTask) {
  Pair two;
  two.launch();
  EXPECT_EQ(two.table.progress(), (TaskProgress{1, 1, 0}));
  EXPECT_THAT(two.table.opened(), IsEmpty());
  EXPECT_TRUE(two.table.attempts().at(two.backup).backup);
  EXPECT_FALSE(two.table.attempts().at(two.first).backup);
}

TEST(TaskTableBackup, TheTaskRunsOnWithEitherWhenTheOtherEnds) {
  for (const bool first_ends : {true, false}) {
    Pair two;
    two.launch();
    two.table.end(first_ends ? two.first : two.backup);
    EXPECT_TRUE(two.table.runs(0));
    EXPECT_EQ(two.table.backup(0), TaskId{});
    EXPECT_EQ(two.table.current(0), first_ends ? two.backup : two.first);
    EXPECT_EQ(two.table.progress(), (TaskProgress{1, 1, 0}));
    two.table.end(two.table.current(0));
    EXPECT_THAT(two.table.waiting(), SizeIs(1));
  }
}

TEST(TaskTableBackup, TheWinnerIsTheOneThatEndedWell) {
  Pair two;
  two.launch();
  two.table.end(two.first);
  two.table.abandon(two.backup);
  two.table.win(0, two.first);
  EXPECT_EQ(two.table.won_by(two.first), 0u);
  EXPECT_EQ(two.table.current(0), two.first);
  EXPECT_FALSE(two.table.end(two.backup)->current);
}

TEST(TaskTableBackup, AThirdAttemptMayFollowOneThatIsGone) {
  Pair two;
  two.launch();
  two.table.end(two.backup);
  EXPECT_NE(two.table.open_backup(0), two.backup);
}

TEST(TaskTableBackupDeath, ATaskHasOneAtMostAndNoneThatOutlivesIt) {
  Pair two;
  EXPECT_DEATH(two.table.open_backup(0), "a task has a backup already");
  EXPECT_DEATH(two.table.end(two.first), "a backup without a slot goes before its first attempt does");
}

// ---- the framework ----

MapReduceConfig speculative(Duration after = 0s) {
  MapReduceConfig config;
  config.speculation = {true, 100, 1500, after};
  return config;
}

/// Four maps that run on a1 to a4, all launched at once; a5 and a6 are known.
struct Four : Hand {
  explicit Four(MapReduceConfig config = speculative(), bool reduces = false, bool keeps = false)
      : Hand(std::move(config)) {
    kept.on = keeps;
    input("/in", {{"a1"}, {"a2"}, {"a3"}, {"a4"}});
    submit(reduces ? word_count() : grep());
    begin();
    offer_reduce("a5");
    offer_reduce("a6");
    for (const auto* agent : {"a1", "a2", "a3", "a4"}) maps.push_back(offer_map(agent).at(0));
  }
  std::vector<TaskSpec> maps;
  /// All but the last map take 10 s; then 5 s more pass.
  void straggle() {
    pass(10s);
    for (int map = 0; map < 3; ++map) finish(maps.at(map), 10s);
    pass(5s);
  }
  TaskSpec back_up(const std::string& agent = "a5") {
    straggle();
    return offer_map(agent).at(0);
  }
  BackupCounts backups() const { return report().counters.backups; }
};

TEST(MapBackup, IsAskedForOnceAMapHasRunForOneAndAHalfTimesTheMedian) {
  Four hand;
  hand.pass(10s);
  for (int map = 0; map < 3; ++map) hand.finish(hand.maps.at(map), 10s);
  hand.revived.clear();
  hand.pass(5s - 1us);
  EXPECT_THAT(hand.revived, IsEmpty());
  EXPECT_EQ(hand.demand[Kind("map")], 1);
  hand.pass(1us);
  EXPECT_THAT(hand.revived, Contains(Kind("map")));
  EXPECT_EQ(hand.demand[Kind("map")], 2);
  const auto queued = all_of<TaskQueued>(hand.traces).back();
  EXPECT_EQ(queued.task.value, "j1-m-00003-1");
  EXPECT_EQ(queued.backs_up, hand.maps.at(3).id);
}

TEST(MapBackup, IsNotMadeWhereItIsOff) {
  Four hand(greedy());
  hand.straggle();
  EXPECT_THAT(hand.offer_map("a5"), IsEmpty());
}

TEST(MapBackup, NeverRunsBesideItsFirstAttempt) {
  Four hand;
  hand.straggle();
  EXPECT_THAT(hand.offer_map("a4", 2), IsEmpty());
  hand.pass(1h);
  EXPECT_THAT(hand.offer_map("a4", 2), IsEmpty());
  EXPECT_THAT(hand.offer_map("a5", 2), SizeIs(1)) << "and there is one";
}

TEST(MapBackup, NeverRunsOnASlowAgent) {
  Hand hand(speculative());
  hand.input("/in", std::vector<std::vector<std::string>>(9, {"a1"}));
  hand.submit(word_count());
  hand.begin();
  hand.offer_reduce("a6");
  for (const auto* agent : {"a1", "a2", "a3", "a4"}) hand.finish(hand.offer_map(agent).at(0), 10s);
  for (const auto* agent : {"a2", "a3", "a4"}) hand.finish(hand.offer_map(agent).at(0), 10s);
  hand.finish(hand.offer_map("a5").at(0), 30s);
  hand.offer_map("a1");
  hand.pass(1h);
  EXPECT_THAT(hand.offer_map("a5"), IsEmpty()) << "maps take three times as long there";
  EXPECT_THAT(hand.offer_map("a6"), SizeIs(1)) << "of which nothing is known";
}

TEST(MapBackup, ThatIsFirstWinsAndTheOtherIsKilledAndNoFailure) {
  Four hand;
  const auto backup = hand.back_up();
  hand.finish(backup, 10s);
  ASSERT_THAT(hand.kills, SizeIs(1));
  EXPECT_EQ(hand.kills.at(0).task, hand.maps.at(3).id);
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  hand.end(hand.maps.at(3), TaskState::killed);
  EXPECT_EQ(hand.report().counters.failed_maps, 0u);
  EXPECT_EQ(hand.report().counters.killed_maps, 1u);
  EXPECT_EQ(hand.report().counters.launched_maps, 5u);
  EXPECT_EQ(hand.backups().launched, 1u);
  EXPECT_EQ(hand.backups().won, 1u);
  EXPECT_EQ(hand.backups().killed, 0u);
  EXPECT_EQ(hand.report().counters.map_input_records, 4 * 5u) << "of the winners alone";
}

TEST(MapBackup, ThatComesSecondIsKilled) {
  Four hand;
  const auto backup = hand.back_up();
  hand.finish(hand.maps.at(3), 20s);
  ASSERT_THAT(hand.kills, SizeIs(1));
  EXPECT_EQ(hand.kills.at(0).task, backup.id);
  EXPECT_EQ(hand.backups().won, 0u);
  EXPECT_EQ(hand.backups().killed, 1u);
  hand.finish(backup, 20s);
  EXPECT_EQ(hand.report().counters.map_input_records, 4 * 5u) << "it was done before it could be killed";
}

TEST(MapBackup, WithoutASlotIsTakenBackWhenTheFirstIsDone) {
  Four hand(speculative(), true);
  hand.straggle();
  hand.finish(hand.maps.at(3), 20s);
  EXPECT_EQ(hand.demand[Kind("map")], 0);
  EXPECT_THAT(hand.offer_map("a5"), IsEmpty());
  EXPECT_THAT(hand.kills, IsEmpty());
  EXPECT_EQ(hand.backups().launched, 0u);
}

TEST(MapBackup, GoesOnAloneWhenTheFirstFails) {
  Four hand;
  const auto backup = hand.back_up();
  hand.fail(hand.maps.at(3));
  EXPECT_THAT(hand.offer_map("a6"), IsEmpty()) << "the task runs";
  hand.finish(backup, 10s);
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_EQ(hand.report().counters.failed_maps, 1u);
}

TEST(MapBackup, ThatFailsLeavesTheFirstRunning) {
  Four hand;
  hand.fail(hand.back_up());
  EXPECT_EQ(hand.report().progress.maps.running, 1u);
  hand.finish(hand.maps.at(3), 20s);
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
}

TEST(MapBackup, BothFailAndTheTaskIsMadeAgain) {
  Four hand;
  const auto backup = hand.back_up();
  hand.fail(hand.maps.at(3));
  hand.fail(backup);
  const auto again = hand.offer_map("a6");
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again.at(0).id.value, "j1-m-00003-2");
  hand.finish(again.at(0));
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_EQ(hand.report().counters.failed_maps, 2u);
}

TEST(MapBackup, GoesOnAloneWhenTheFirstIsOutOfReach) {
  Four hand;
  const auto backup = hand.back_up();
  hand.end(hand.maps.at(3), TaskState::unreachable, TaskReason::agent_lost);
  EXPECT_THAT(hand.kills, SizeIs(1));
  EXPECT_THAT(hand.offer_map("a6"), IsEmpty());
  hand.finish(backup, 10s);
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
}

TEST(MapBackup, WithoutASlotMakesWayForAnOrdinaryAttemptWhenTheFirstIsLost) {
  Four hand;
  hand.straggle();
  hand.end(hand.maps.at(3), TaskState::lost, TaskReason::agent_lost);
  const auto again = hand.offer_map("a4");
  ASSERT_THAT(again, SizeIs(1)) << "which may run anywhere";
  hand.finish(again.at(0));
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_EQ(hand.backups().launched, 0u);
}

TEST(MapBackup, TheReadersOfItsOutputAreToldOfTheWinner) {
  Four hand(speculative(), true);
  const auto backup = hand.back_up();
  hand.finish(backup, 10s);
  hand.end(hand.maps.at(3), TaskState::killed);
  const auto reduce = hand.offer_reduce("a6").at(0);
  std::vector<std::string> read;
  for (const auto& input : reduce_of(reduce).inputs) read.push_back(input.map.value);
  EXPECT_THAT(read, ElementsAre("j1-m-00000-0", "j1-m-00001-0", "j1-m-00002-0", "j1-m-00003-1"));
}

TEST(MapBackup, ThereIsOneAtATimeInASmallCluster) {
  Four hand;
  hand.pass(10s);
  for (int map = 0; map < 2; ++map) hand.finish(hand.maps.at(map), 10s);
  hand.pass(20s);
  ASSERT_THAT(hand.offer_map("a5", 2), SizeIs(1)) << "a tenth of four maps, and at least one";
  hand.finish(hand.launched.back(), 10s);
  hand.end(hand.maps.at(2), TaskState::killed);
  EXPECT_THAT(hand.offer_map("a6", 2), SizeIs(1)) << "the other's turn";
}

TEST(MapBackup, IsNotMadeBeforeHalfOfTheMapsAreDone) {
  Four hand;
  hand.pass(10s);
  hand.finish(hand.maps.at(0), 10s);
  hand.pass(1h);
  EXPECT_THAT(hand.offer_map("a5", 2), IsEmpty());
}

TEST(MapBackup, IsNotMadeBeforeTheLeastTime) {
  Four hand(speculative(60s));
  hand.straggle();
  EXPECT_THAT(hand.offer_map("a5"), IsEmpty());
  hand.pass(45s);
  EXPECT_THAT(hand.offer_map("a5"), SizeIs(1));
}

TEST(MapBackup, GoesOnAfterARestartAsTheOnlyAttempt) {
  Four hand(speculative(), false, true);
  const auto backup = hand.back_up();
  Hand next(speculative());
  next.take_over(hand);
  next.begin();
  EXPECT_THAT(next.kills, Contains(testing::Field(&Kill::task, hand.maps.at(3).id)));
  EXPECT_EQ(next.report().progress.maps, (TaskProgress{4, 1, 3}));
  next.finish(backup, 10s);
  EXPECT_EQ(next.phase(), JobPhase::succeeded);
  EXPECT_EQ(next.report().counters.backups.launched, 1u);
}

TEST(MapBackup, AJobThatFailsKillsBoth) {
  Four hand;
  const auto backup = hand.back_up();
  hand.kill_job("1");
  hand.pass(1ms);
  EXPECT_THAT(hand.kills, SizeIs(2));
  hand.end(hand.maps.at(3), TaskState::killed);
  hand.end(backup, TaskState::killed);
  EXPECT_EQ(hand.phase(), JobPhase::failed);
}

TEST(MapBackup, OfAFailingJobThatWaitsIsTakenBack) {
  Four hand;
  hand.straggle();
  hand.kill_job("1");
  hand.pass(1ms);
  EXPECT_EQ(hand.demand[Kind("map")], 1);
  hand.end(hand.maps.at(3), TaskState::killed);
  EXPECT_EQ(hand.phase(), JobPhase::failed);
}

// ---- at random ----

/// A job of eight maps on six agents, and a process that drives it for as long as it is not killed.
class Wild {
 public:
  explicit Wild(std::uint64_t seed) : dice_(seed), hand_(std::make_unique<Hand>(config())) {
    hand_->kept.on = true;
    hand_->input("/in", std::vector<std::vector<std::string>>(kMaps, {"a1", "a2"}));
    hand_->submit(grep());
    hand_->begin();
  }
  static constexpr std::size_t kMaps = 8;

  bool runs() const { return hand_->phase() == JobPhase::running; }
  void step() {
    const auto what = dice_.below(20);
    if (what < 7) return offer("a" + std::to_string(1 + dice_.below(6)));
    if (what < 10) return hand_->pass(std::chrono::seconds(dice_.below(5)));
    if (live_.empty()) return;
    const auto& task = live_.at(dice_.below(live_.size()));
    if (what < 15) return finish(task);
    if (what == 15) return hand_->end(task, TaskState::unreachable, TaskReason::agent_lost);
    if (what == 16 && dice_.below(4) == 0) return start_anew();
    if (what == 17) return over(task, TaskState::failed, TaskReason::exit);
    if (what == 18) return over(task, TaskState::lost, TaskReason::agent_lost);
    if (what == 19) return over(task, TaskState::killed, TaskReason::none);
  }
  void complete() {
    for (int agent = 1; agent <= 6; ++agent) offer("a" + std::to_string(agent));
    while (!live_.empty()) finish(live_.front());
  }
  const Hand& hand() const { return *hand_; }

 private:
  static MapReduceConfig config() {
    auto config = speculative();
    config.speculation.cap_milli = 1000;
    config.max_attempts = 1000;
    return config;
  }
  void offer(const std::string& agent) {
    for (const auto& task : hand_->offer_map(agent, 2)) live_.push_back(task);
  }
  void finish(TaskSpec task) {
    std::erase_if(live_, [&](const TaskSpec& one) { return one.id == task.id; });
    hand_->finish(task, std::chrono::seconds(1 + dice_.below(3)));
  }
  void over(TaskSpec task, TaskState state, TaskReason reason) {
    std::erase_if(live_, [&](const TaskSpec& one) { return one.id == task.id; });
    hand_->end(task, state, reason);
  }
  void start_anew() {
    auto next = std::make_unique<Hand>(config());
    next->take_over(*hand_);
    next->now = hand_->now;
    next->begin();
    hand_ = std::move(next);
  }

  Random dice_;
  std::unique_ptr<Hand> hand_;
  std::vector<TaskSpec> live_;
};

TEST(MapBackup, WhateverBecomesOfItEachMapIsPublishedOnce) {
  std::uint64_t launched = 0;
  std::uint64_t won = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Wild wild(seed);
    for (int step = 0; step < 200 && wild.runs(); ++step) wild.step();
    for (int round = 0; round < 20 && wild.runs(); ++round) wild.complete();
    const auto& hand = wild.hand();
    ASSERT_EQ(hand.phase(), JobPhase::succeeded) << "seed " << seed;
    EXPECT_THAT(hand.store.below("/out"), SizeIs(Wild::kMaps + 1)) << "seed " << seed;
    ASSERT_THAT(hand.store.renames, SizeIs(1));
    EXPECT_THAT(hand.store.renames.at(0).pairs, SizeIs(Wild::kMaps + 1)) << "seed " << seed;
    launched += hand.report().counters.backups.launched;
    won += hand.report().counters.backups.won;
  }
  EXPECT_GT(launched, 50u);
  EXPECT_GT(won, 10u);
}

}  // namespace
}  // namespace proffer::mapreduce_test
