// A process that goes on with the jobs of one that was killed.
#include <algorithm>

#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A job of four maps and two reduces, of which notes are kept.
struct Former : Hand {
  explicit Former(JobSpec spec = word_count(), MapReduceConfig config = greedy()) : Hand(std::move(config)) {
    kept.on = true;
    input("/in", {{"a1"}, {"a1"}, {"a1"}, {"a1"}});
    submit(std::move(spec));
    begin();
  }
};

std::vector<std::string> ids_of(const std::vector<TaskSpec>& tasks) {
  std::vector<std::string> ids;
  for (const auto& task : tasks) ids.push_back(task.id.value);
  return ids;
}

TEST(Resume, WhatIsDoneIsNotDoneAgainAndWhatRunsGoesOn) {
  Former former;
  const auto maps = former.offer_map("a1", 3);
  former.finish(maps[1]);
  former.finish(maps[0]);
  Hand hand;
  hand.take_over(former);
  hand.begin();
  EXPECT_EQ(hand.report().progress.maps, (TaskProgress{4, 1, 2}));
  EXPECT_THAT(ids_of(hand.offer_map("a2", 9)), ElementsAre("j1-m-00003-0"));
  hand.finish(maps[2]);
  hand.finish(hand.launched[0]);
  const auto reduces = hand.offer_reduce("a3", 2);
  ASSERT_THAT(reduces, SizeIs(2));
  const auto& inputs = reduce_of(reduces[0]).inputs;
  ASSERT_THAT(inputs, SizeIs(4));
  EXPECT_EQ(inputs[0].endpoint, "tcp://a1") << "though a1 has offered nothing to this process";
  for (const auto& reduce : reduces) hand.finish(reduce);
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_THAT(hand.store.below("/out"), ElementsAre("_SUCCESS", "part-00000", "part-00001"));
  const auto& counters = hand.watcher.ended.at(0).counters;
  EXPECT_EQ(counters.launched_maps, 4u);
  EXPECT_EQ(counters.map_output_records, 28u);
}

TEST(Resume, OutputsCarryTheTokenOfTheFormerProcess) {
  Former former;
  former.finish(former.offer_map("a1").at(0));
  Hand hand;
  auto again = word_count();
  again.token = "another";
  hand.submit(again);  // a program that submits its jobs anew goes on with them
  hand.take_over(former);
  hand.begin();
  EXPECT_THAT(hand.framework->reports(), SizeIs(1));
  EXPECT_EQ(map_of(hand.offer_map("a1").at(0)).job_token, "job-token");
}

TEST(Resume, AnEndThatComesBeforeTheJobIsPlannedIsHeldBackAndTakenThen) {
  Former former;
  const auto map = former.offer_map("a1").at(0);
  Hand hand;
  hand.catalog_answers = false;
  hand.take_over(former);
  hand.begin();
  hand.finish(map);
  EXPECT_THAT(hand.kept.held, ElementsAre(map.id));
  EXPECT_THAT(hand.kept.acknowledged, IsEmpty());
  hand.answer_catalog();
  EXPECT_THAT(hand.kept.acknowledged, ElementsAre(map.id));
  EXPECT_EQ(hand.report().progress.maps, (TaskProgress{4, 0, 1}));
}

TEST(Resume, FailuresSoFarCountAndIdsOfAttemptsAreNotUsedAgain) {
  Former former;
  former.fail(former.offer_map("a1", 4).at(0));
  former.fail(former.offer_map("a1").at(0));
  Hand hand;
  hand.take_over(former);
  hand.kept.tasks.clear();
  hand.begin();
  const auto third = hand.offer_map("a2").at(0);
  EXPECT_EQ(third.id.value, "j1-m-00000-3");
  hand.fail(third);
  hand.pass(20s);
  const auto all = hand.offer_map("a3", 4);
  const auto fourth = std::ranges::find(all, TaskId{"j1-m-00000-4"}, &TaskSpec::id);
  ASSERT_NE(fourth, all.end());
  hand.fail(*fourth);
  EXPECT_EQ(hand.phase(), JobPhase::failing);
  EXPECT_THAT(hand.report().why, HasSubstr("as did 3 attempts before it"));
}

TEST(Resume, AJobWhoseInputHasChangedFailsAndWhatItRunsIsKilled) {
  Former former;
  const auto map = former.offer_map("a1").at(0);
  former.input("/in", {{"a1"}, {"a1"}, {"a1"}, {"a1"}});
  Hand hand;
  hand.take_over(former);
  hand.begin();
  hand.pass(10s);
  EXPECT_EQ(hand.phase(), JobPhase::failed);
  EXPECT_THAT(hand.report().why, HasSubstr("the input has changed"));
  ASSERT_THAT(hand.kills, SizeIs(1));
  EXPECT_EQ(hand.kills[0].task, map.id);
}

TEST(Resume, AJobThatWasPublishedWhenItsProcessWasKilledHasSucceeded) {
  Former former(grep());
  const auto maps = former.offer_map("a1", 4);
  former.catalog_answers = false;
  for (const auto& map : maps) former.finish(map);
  Hand hand;
  former.lose_answers();  // they are carried out, and nobody is left to hear of it
  hand.take_over(former);
  hand.begin();
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_THAT(hand.launched, IsEmpty());
  EXPECT_THAT(hand.store.renames, SizeIs(1));
}

TEST(Resume, UnderAnotherIdOutputsAreGoneAndMapsAreMadeAgain) {
  Former former;
  former.finish(former.offer_map("a1").at(0));
  Hand hand;
  hand.take_over(former);
  hand.begin(8);
  EXPECT_EQ(hand.report().progress.maps, (TaskProgress{4, 0, 0}));
  EXPECT_EQ(hand.offer_map("a1").at(0).id.value, "j1-m-00000-1");
}

TEST(Resume, AReduceThatWasLaunchedEarlyIsToldOfAllOutputsInTheirOldOrder) {
  MapReduceConfig config;
  config.slow_start_milli = 500;
  Former former(word_count(), config);
  const auto maps = former.offer_map("a1", 4);
  former.finish(maps[2]);
  former.finish(maps[0]);
  const auto reduce = former.offer_reduce("a2").at(0);
  former.runs(reduce);
  Hand hand(config);
  hand.take_over(former);
  hand.begin();
  ASSERT_THAT(hand.fed, SizeIs(1));
  ASSERT_THAT(hand.fed[0].inputs, SizeIs(2));
  EXPECT_EQ(hand.fed[0].inputs[0].map, maps[2].id);
  hand.finish(maps[1]);
  hand.finish(maps[3]);
  EXPECT_TRUE(hand.fed.back().complete);
  EXPECT_EQ(hand.fed.back().to, 4u);
}

TEST(Resume, AReduceThatKnowsOfAnOutputThatIsGoneIsMadeAgain) {
  MapReduceConfig config;
  config.slow_start_milli = 500;
  Former former(word_count(), config);
  const auto maps = former.offer_map("a1", 4);
  former.finish(maps[0]);
  former.finish(maps[1]);
  const auto reduces = former.offer_reduce("a2", 2);
  for (const auto& reduce : reduces) former.runs(reduce);
  former.finish(maps[2]);
  former.finish(maps[3]);
  auto complaining = reduces[0];
  for (int complaint = 0; complaint < 2; ++complaint) {
    former.fail_for_want_of(complaining, {maps[1]});
    former.pass(11s);
    complaining = former.offer_reduce("a3").at(0);
  }
  former.fail_for_want_of(complaining, {maps[1]});
  ASSERT_EQ(former.report().progress.maps.done, 3u);
  Hand hand(config);
  hand.take_over(former);
  hand.begin();
  ASSERT_THAT(hand.kills, SizeIs(1));
  EXPECT_EQ(hand.kills[0].task, reduces[1].id);
}

TEST(Resume, AJobThatHasEndedIsReportedAndTheNextGoesOn) {
  MapReduceConfig config;
  config.max_running_jobs = 1;
  Former former(grep(), config);
  former.submit(grep("/in", "/out2"));
  former.pass(1s);
  const auto first = former.offer_map("a1", 4);
  for (const auto& map : first) former.finish(map);
  ASSERT_EQ(former.phase(), JobPhase::succeeded);
  Hand hand;
  hand.take_over(former);
  hand.begin();
  const auto before = hand.framework->reports();
  ASSERT_THAT(before, SizeIs(2));
  EXPECT_TRUE(before[0].ok);
  EXPECT_EQ(before[0].output, "/out");
  EXPECT_EQ(before[0].counters.map_input_records, 20u);
  hand.run_maps();
  EXPECT_EQ(hand.phase(JobId{2}), JobPhase::succeeded);
  EXPECT_TRUE(hand.stopped);
}

TEST(Resume, AJobThatWasFailingGoesOnFailingAndRemovesWhatItWrote) {
  Former former;
  const auto map = former.offer_map("a1").at(0);
  former.kill_job("job 1", "enough");
  former.pass(1ms);
  ASSERT_EQ(former.phase(), JobPhase::failing);
  Hand hand;
  hand.take_over(former);
  hand.begin();
  hand.pass(10s);
  EXPECT_EQ(hand.phase(), JobPhase::failed);
  EXPECT_EQ(hand.report().why, "it was killed by ada: enough");
  EXPECT_THAT(hand.store.below("/out"), IsEmpty());
  EXPECT_EQ(hand.kills.at(0).task, map.id);
}

TEST(Resume, OfAJobThatHasEndedOneNoteIsLeft) {
  Former former;
  former.run_maps();
  former.run_reduces();
  ASSERT_EQ(former.phase(), JobPhase::succeeded);
  std::vector<std::string> keys;
  for (const auto& [key, note] : former.kept.notes) keys.push_back(key.substr(0, key.find('/', 2)));
  EXPECT_THAT(keys, ElementsAre("1/end", "agent", "framework"));
}

TEST(Resume, NothingIsNotedUnlessNotesAreKept) {
  Hand hand;
  hand.input("/in", {{"a1"}});
  hand.submit(word_count());
  hand.begin();
  hand.run_maps();
  EXPECT_THAT(hand.kept.notes, IsEmpty());
}

/// Does the next thing of a job's work: one slot, or one end.
void work_on(Hand& hand, std::vector<TaskSpec>& running, int turn) {
  const auto add = [&](const std::vector<TaskSpec>& tasks) {
    running.insert(running.end(), tasks.begin(), tasks.end());
  };
  if (turn % 4 == 0) add(hand.offer_map("a1"));
  if (turn % 4 == 1) add(hand.offer_reduce("a2"));
  if (turn % 4 == 2) hand.pass(100ms);
  if (turn % 4 == 3 && !running.empty()) {
    const auto task = running.front();
    running.erase(running.begin());
    hand.finish(task);
  }
}

TEST(Resume, WhereverItIsKilledTheJobEndsRightAndNoTaskIsFinishedTwice) {
  MapReduceConfig config;
  config.slow_start_milli = 500;
  for (int killed_after = 1; killed_after < 40; ++killed_after) {
    auto former = std::make_unique<Former>(word_count(), config);
    std::vector<TaskSpec> running;
    std::vector<std::string> launched;
    const auto take = [&](const Hand& hand) {
      for (const auto& id : ids_of(hand.launched)) launched.push_back(id);
    };
    for (int turn = 0; turn < killed_after; ++turn) work_on(*former, running, turn);
    take(*former);
    Hand hand(config);
    hand.take_over(*former);
    if (hand.framework->reports().at(0).ok) continue;
    hand.begin();
    for (int turn = 0; turn < 100 && !hand.stopped; ++turn) work_on(hand, running, turn);
    take(hand);
    EXPECT_EQ(hand.phase(), JobPhase::succeeded) << "killed after " << killed_after;
    EXPECT_THAT(hand.store.below("/out"), ElementsAre("_SUCCESS", "part-00000", "part-00001"));
    EXPECT_THAT(hand.kills, IsEmpty());
    std::ranges::sort(launched);
    EXPECT_THAT(launched, ElementsAre("j1-m-00000-0", "j1-m-00001-0", "j1-m-00002-0", "j1-m-00003-0",
                                      "j1-r-00000-0", "j1-r-00001-0"))
        << "killed after " << killed_after;
  }
}

}  // namespace
}  // namespace proffer::mapreduce_test
