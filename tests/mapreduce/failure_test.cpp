// What can go wrong with a job's tasks, and what follows.
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A running job of so many maps, all held by a1 alone.
struct Running : Hand {
  explicit Running(int maps = 1, MapReduceConfig config = greedy()) : Hand(std::move(config)) {
    input("/in", std::vector<std::vector<std::string>>(static_cast<std::size_t>(maps), {"a1"}));
    submit(word_count());
    begin();
  }
};

TEST(MapReduceFailure, AFailedTaskIsMadeAgainUnderANewId) {
  Running hand;
  hand.fail(hand.offer_map("a1").at(0));
  const auto again = hand.offer_map("a1");
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again[0].id.value, "j1-m-00000-1");
  hand.finish(again[0]);
  hand.run_reduces();
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_EQ(hand.report().counters.failed_maps, 1u);
  EXPECT_EQ(hand.report().counters.launched_maps, 2u);
}

TEST(MapReduceFailure, ItIsMadeElsewhereWhileOtherAgentsAreKnown) {
  Running hand;
  hand.offer_reduce("a2");
  hand.fail(hand.offer_map("a1").at(0));
  EXPECT_THAT(hand.offer_map("a1"), IsEmpty());
  EXPECT_EQ(hand.demand[Kind("map")], 1) << "or nobody would offer it another agent";
  EXPECT_THAT(hand.offer_map("a2"), SizeIs(1));
}

TEST(MapReduceFailure, AfterAWhileAnyAgentWillDoAndIsAskedFor) {
  Running hand;
  hand.offer_reduce("a2");
  hand.fail(hand.offer_map("a1").at(0));
  EXPECT_THAT(hand.offer_map("a1"), IsEmpty());
  hand.revived.clear();
  hand.pass(10s);
  EXPECT_THAT(hand.revived, ElementsAre(Kind("map")));
  EXPECT_THAT(hand.offer_map("a1"), SizeIs(1));
}

TEST(MapReduceFailure, AJobFailsWithTheFourthFailureOfATaskAndSaysWhatTheTaskSaid) {
  Running hand(2);
  const auto other = hand.offer_map("a1").at(0);
  for (int i = 0; i < 3; ++i) hand.fail(hand.offer_map("a1").at(0));
  const auto last = hand.offer_map("a1").at(0);
  hand.say_failure(last, "the mapper ended with exit code 3:\nboom");
  hand.fail(last, 3);
  EXPECT_EQ(hand.phase(), JobPhase::failing);
  ASSERT_THAT(hand.kills, SizeIs(1));
  EXPECT_EQ(hand.kills[0].task, other.id);
  hand.end(other, TaskState::killed, TaskReason::kill_requested);
  EXPECT_EQ(hand.phase(), JobPhase::failed);
  EXPECT_THAT(hand.report().why, HasSubstr("j1-m-00001-3 failed, as did 3 attempts before it"));
  EXPECT_THAT(hand.report().why, HasSubstr("boom"));
  EXPECT_THAT(hand.store.below("/out"), IsEmpty());
  EXPECT_THAT(hand.released, ElementsAre(JobId{1}));
  EXPECT_TRUE(hand.stopped);
  EXPECT_THAT(hand.watcher.failures, SizeIs(3));
}

TEST(MapReduceFailure, AFailedJobDoesNotWaitForTasksThatAreNeverHeardOfAgain) {
  Running hand(2, [] {
    MapReduceConfig config;
    config.max_attempts = 1;
    return config;
  }());
  hand.offer_map("a2");
  hand.fail(hand.offer_map("a1").at(0));
  EXPECT_EQ(hand.phase(), JobPhase::failing);
  hand.pass(7s);
  EXPECT_EQ(hand.phase(), JobPhase::failed);
}

TEST(MapReduceFailure, WithoutWordsTheExitCodeIsTheReason) {
  MapReduceConfig config;
  config.max_attempts = 1;
  Running hand(1, config);
  hand.fail(hand.offer_map("a1").at(0), 9);
  EXPECT_THAT(hand.report().why, HasSubstr("exit code 9"));
}

TEST(MapReduceFailure, BadLuckOfAnAgentIsNoFailureOfTheTask) {
  MapReduceConfig config;
  config.max_attempts = 1;
  for (const auto state :
       {TaskState::lost, TaskState::killed, TaskState::gone, TaskState::dropped, TaskState::rejected}) {
    Running hand(1, config);
    hand.end(hand.offer_map("a1").at(0), state, TaskReason::agent_lost);
    EXPECT_THAT(hand.offer_map("a1"), SizeIs(1)) << to_string(state);
    EXPECT_EQ(hand.report().counters.failed_maps, 0u);
  }
}

TEST(MapReduceFailure, WhatItsAgentFailsIsNoFailureOfTheTaskAndIsMadeElsewhere) {
  MapReduceConfig config;
  config.max_attempts = 1;
  for (const auto reason : {TaskReason::agent_failed, TaskReason::output_lost}) {
    Running hand(2, config);
    const auto other = hand.offer_map("a2").at(0);
    hand.end(hand.offer_map("a1").at(0), TaskState::failed, reason);
    EXPECT_EQ(hand.report().counters.failed_maps, 0u) << to_string(reason);
    EXPECT_THAT(hand.offer_map("a1"), IsEmpty()) << to_string(reason);
    EXPECT_THAT(hand.offer_map("a3"), SizeIs(1)) << to_string(reason);
  }
}

TEST(MapReduceFailure, WhatWasDroppedWasNeverLaunched) {
  Running hand;
  hand.end(hand.offer_map("a1").at(0), TaskState::dropped, TaskReason::offer_gone);
  hand.run_maps("a2");
  EXPECT_EQ(hand.report().counters.launched_maps, 1u);
  EXPECT_EQ(hand.report().counters.data_local_maps, 0u);
  EXPECT_EQ(hand.report().counters.rack_local_maps, 1u);
}

TEST(MapReduceFailure, ATaskThatBreaksARuleWouldBreakItAgain) {
  MapReduceConfig config;
  config.max_attempts = 1;
  Running hand(1, config);
  hand.end(hand.offer_map("a1").at(0), TaskState::rejected, TaskReason::invalid);
  EXPECT_EQ(hand.phase(), JobPhase::failed);
}

TEST(MapReduceFailure, ATaskOnASilentAgentIsKilledAndMadeElsewhere) {
  Running hand;
  const auto silent = hand.offer_map("a1").at(0);
  hand.end(silent, TaskState::unreachable, TaskReason::agent_lost);
  EXPECT_THAT(hand.kills, SizeIs(1));
  const auto other = hand.offer_map("a2");
  ASSERT_THAT(other, SizeIs(1));
  hand.finish(other[0]);
  hand.finish(silent);  // it was alive, and as quick as the kill
  EXPECT_EQ(hand.report().progress.maps, (TaskProgress{1, 0, 1}));
  const auto reduce = hand.offer_reduce("a3").at(0);
  ASSERT_THAT(reduce_of(reduce).inputs, SizeIs(1));
  EXPECT_EQ(reduce_of(reduce).inputs[0].map, other[0].id);
}

TEST(MapReduceFailure, AReduceThatMissesAnOutputHasTheMapMadeAgainAndIsMadeAgainItself) {
  Running hand(2);
  const auto maps = hand.run_maps();
  const auto reduce = hand.offer_reduce("a2").at(0);
  hand.fail_for_want_of(reduce, {maps[1]});
  EXPECT_THAT(hand.offer_reduce("a2"), IsEmpty());
  EXPECT_EQ(hand.report().progress.maps.done, 1u);
  const auto again = hand.offer_map("a3").at(0);
  EXPECT_EQ(again.id.value, "j1-m-00001-1");
  hand.finish(again);
  const auto reduces = hand.offer_reduce("a2", 2);
  ASSERT_THAT(reduces, SizeIs(2));
  EXPECT_EQ(reduce_of(reduces[0]).inputs.at(1).map, again.id);
  EXPECT_EQ(reduce_of(reduces[0]).inputs.at(1).endpoint, "tcp://a3");
  for (const auto& task : reduces) hand.finish(task);
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_EQ(hand.report().counters.failed_reduces, 0u);
  EXPECT_EQ(hand.report().counters.map_input_records, 10u);
}

TEST(MapReduceFailure, TwoReducesThatMissTheSameOutputHaveItMadeOnce) {
  Running hand;
  const auto map = hand.run_maps().at(0);
  const auto reduces = hand.offer_reduce("a2", 2);
  hand.fail_for_want_of(reduces[0], {map});
  EXPECT_THAT(hand.offer_map("a3"), IsEmpty()) << "the other one may know better";
  hand.fail_for_want_of(reduces[1], {map});
  const auto again = hand.offer_map("a3").at(0);
  EXPECT_THAT(hand.offer_map("a4"), IsEmpty());
  hand.finish(again);
  EXPECT_THAT(hand.run_reduces(), SizeIs(2));
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
}

/// Three agents have outputs, and reduces on a4 get none of them.
struct SickAgent : Running {
  SickAgent() : Running(3) {
    for (const auto* agent : {"a1", "a2", "a3"}) {
      maps.push_back(offer_map(agent).at(0));
      finish(maps.back());
    }
  }
  std::vector<TaskSpec> maps;
};

TEST(MapReduceFailure, AReduceThatGetsNothingFromMostAgentsIsMadeElsewhereAndTheMapsStay) {
  SickAgent hand;
  const auto sick = hand.offer_reduce("a4", 2);
  for (const auto& reduce : sick) hand.fail_for_want_of(reduce, hand.maps);
  EXPECT_EQ(hand.report().progress.maps.done, 3u);
  EXPECT_THAT(hand.offer_reduce("a4", 2), IsEmpty()) << "not there again";
  hand.pass(10s);
  EXPECT_THAT(hand.offer_reduce("a4", 2), IsEmpty());
  const auto reduces = hand.offer_reduce("a5", 2);
  ASSERT_THAT(reduces, SizeIs(2));
  for (const auto& reduce : reduces) hand.finish(reduce);
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_EQ(hand.report().counters.launched_maps, 3u);
  EXPECT_EQ(hand.report().counters.failed_reduces, 0u);
}

TEST(MapReduceFailure, WhenReducesOnTwoAgentsMissMostOutputsTheMapsAreMadeAgain) {
  SickAgent hand;
  const auto one = hand.offer_reduce("a4").at(0);
  const auto other = hand.offer_reduce("a5").at(0);
  hand.fail_for_want_of(one, {hand.maps[0], hand.maps[1]});
  EXPECT_EQ(hand.report().progress.maps.done, 3u);
  hand.fail_for_want_of(other, {hand.maps[0], hand.maps[1]});
  EXPECT_EQ(hand.report().progress.maps.done, 1u);
}

TEST(MapReduceFailure, OutputsOfAnAgentThatIsKnownToBeLostAreMadeAgainAtOnce) {
  SickAgent hand;
  const auto there = hand.offer_reduce("a1").at(0);
  const auto reduce = hand.offer_reduce("a4").at(0);
  hand.end(there, TaskState::unreachable, TaskReason::agent_lost);
  hand.fail_for_want_of(reduce, {hand.maps[0]});
  EXPECT_EQ(hand.report().progress.maps.done, 2u);
}

TEST(MapReduceFailure, AFailureThatIsTheStoresIsNotTheTasks) {
  Running hand;
  hand.run_maps();
  for (int i = 0; i < 6; ++i) {
    const auto reduce = hand.offer_reduce("a2").at(0);
    hand.say(reduce, TaskSaid::What::excuse);
    hand.fail(reduce, 74);
  }
  EXPECT_EQ(hand.phase(), JobPhase::running);
  EXPECT_EQ(hand.report().counters.failed_reduces, 0u);
  EXPECT_EQ(hand.report().counters.killed_reduces, 6u);
  EXPECT_THAT(hand.watcher.failures, IsEmpty());
}

TEST(MapReduceFailure, AStoreThatNeverWorksFailsTheJobInTheEnd) {
  Running hand;
  hand.run_maps();
  for (int i = 0; i < 100 && hand.phase() == JobPhase::running; ++i) {
    const auto reduce = hand.offer_reduce(i % 2 == 0 ? "a2" : "a3").at(0);
    hand.say(reduce, TaskSaid::What::excuse);
    hand.fail(reduce, 74);
  }
  EXPECT_EQ(hand.phase(), JobPhase::failed);
}

TEST(MapReduceFailure, OutputsThatAreGoneAgainAndAgainFailTheJob) {
  Running hand;
  for (int i = 0; i < 4; ++i) {
    const auto map = hand.offer_map("a1").at(0);
    hand.finish(map);
    hand.fail_for_want_of(hand.offer_reduce("a2").at(0), {map});
  }
  EXPECT_EQ(hand.phase(), JobPhase::failed);
  EXPECT_THAT(hand.report().why, HasSubstr("could not be fetched"));
}

TEST(MapReduceFailure, ATaskThatEndsWellWithoutAResultHasFailed) {
  Running hand;
  hand.end(hand.offer_map("a1").at(0), TaskState::finished, TaskReason::exit);
  EXPECT_EQ(hand.report().progress.maps.done, 0u);
  EXPECT_EQ(hand.report().counters.failed_maps, 1u);
  EXPECT_THAT(hand.watcher.failures, ElementsAre(HasSubstr("without saying what it has made")));
}

TEST(MapReduceFailure, AFrameworkThatWasGivenUpMakesItsMapsAgain) {
  Running hand(2);
  hand.run_maps();
  const auto reduce = hand.offer_reduce("a2").at(0);
  hand.end(reduce, TaskState::lost, TaskReason::framework_gone);
  hand.subscribe(8);
  EXPECT_THAT(hand.offer_reduce("a2"), IsEmpty());
  EXPECT_THAT(hand.run_maps(), SizeIs(2));
  EXPECT_THAT(hand.run_reduces(), SizeIs(2));
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
}

TEST(MapReduceFailure, ARefusedFrameworkFailsItsJobsWithTheReason) {
  Hand hand;
  hand.input("/in", {{"a1"}});
  hand.submit(word_count());
  hand.refuse({ErrorCode::unknown_pool, "there is no pool x"});
  EXPECT_EQ(hand.phase(), JobPhase::failed);
  EXPECT_EQ(hand.report().why, "there is no pool x");
  EXPECT_EQ(hand.framework->refused()->code, ErrorCode::unknown_pool);
}

TEST(MapReduceFailure, ATaskThatAvoidsAnAgentWaitsOnWhileThatIsOffered) {
  MapReduceConfig config;
  config.policy = {"quincy", {}};
  Hand hand(config);
  hand.input("/in", {{"a3"}});
  hand.submit(grep());
  hand.begin();
  hand.offer_reduce("a2");  // it knows another agent
  hand.pass(1s);
  hand.fail(hand.offer_map("a1").at(0));
  hand.pass(1s);
  EXPECT_THAT(hand.offer_map("a1"), IsEmpty());
  EXPECT_THAT(hand.offer_map("a5"), SizeIs(1)) << "it has waited for long enough to be moved";
}

}  // namespace
}  // namespace proffer::mapreduce_test
