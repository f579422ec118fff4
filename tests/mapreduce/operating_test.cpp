// What operators want of jobs: to end them, or to have them in another pool.
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

MapReduceConfig with_job_pools(std::uint32_t most_in_small = 0) {
  MapReduceConfig config;
  PoolSpec large;
  large.name = "large";
  PoolSpec small;
  small.name = "small";
  small.max_running = most_in_small;
  config.sharing.pools = {large, small};
  return config;
}

class Operating : public ::testing::Test {
 protected:
  explicit Operating(MapReduceConfig config = {}) : hand(std::move(config)) {
    hand.input("/in", {{"a1"}, {"a2"}});
  }
  JobId submit(const std::string& name, const std::string& pool = "") {
    auto spec = grep("/in", "/" + name);
    spec.name = name;
    spec.pool = pool;
    return hand.submit(spec);
  }

  Hand hand;
};

TEST_F(Operating, AKilledJobEndsItsTasksAndLeavesNothing) {
  submit("sort");
  hand.begin();
  const auto tasks = hand.offer_map("a1", 2);
  EXPECT_EQ(hand.kill_job("sort", "too long"), "job 1 (sort) is killed, with 2 running tasks");
  EXPECT_THAT(hand.kills, SizeIs(2));
  for (const auto& task : tasks) hand.end(task, TaskState::killed, TaskReason::kill_requested);
  EXPECT_EQ(hand.phase(), JobPhase::failed);
  EXPECT_EQ(hand.report().why, "it was killed by ada: too long");
  EXPECT_THAT(hand.store.below("/sort"), IsEmpty());
}

TEST_F(Operating, AJobMayBeNamedByItsNumber) {
  submit("sort");
  submit("grep");
  hand.begin();
  EXPECT_EQ(hand.kill_job("2"), "job 2 (grep) is killed, with 0 running tasks");
  EXPECT_EQ(hand.report(JobId{2}).why, "it was killed by ada");
  EXPECT_EQ(hand.phase(JobId{1}), JobPhase::running);
}

TEST_F(Operating, OfOneNameTheNewestThatRunsIsMeant) {
  submit("sort");
  auto again = grep("/in", "/other");
  again.name = "sort";
  hand.submit(again);
  hand.begin();
  EXPECT_EQ(hand.kill_job("sort"), "job 2 (sort) is killed, with 0 running tasks");
  EXPECT_EQ(hand.kill_job("sort"), "job 1 (sort) is killed, with 0 running tasks");
  EXPECT_EQ(hand.kill_job("sort"), "job 2 (sort) has failed: it was killed by ada");
}

TEST_F(Operating, WhoNamesNoJobIsToldWhichThereAre) {
  for (const auto* name : {"a", "b", "c", "d", "e", "f"}) submit(name);
  hand.begin();
  EXPECT_EQ(
      hand.kill_job("sort"),
      "there is no job 'sort'; under way: job 1 (a), job 2 (b), job 3 (c), job 4 (d), job 5 (e) and 1 more");
  hand.run_maps();
  EXPECT_EQ(hand.kill_job("sort"), "there is no job 'sort'; none is under way");
}

TEST_F(Operating, AJobThatWaitsToBeginIsKilledAtOnceAndSoIsOneThatIsEnding) {
  submit("sort");
  hand.start();
  EXPECT_EQ(hand.kill_job("sort"), "job 1 (sort) is killed, with 0 running tasks");
  EXPECT_EQ(hand.phase(), JobPhase::failed);
  EXPECT_TRUE(hand.stopped);
}

TEST_F(Operating, AJobThatAsksTheCatalogIsKilledOnceItHasTheAnswer) {
  submit("sort");
  hand.catalog_answers = false;
  hand.begin();
  hand.kill_job("sort");
  EXPECT_EQ(hand.phase(), JobPhase::planning);
  hand.catalog_answers = true;
  hand.answer_catalog();
  EXPECT_EQ(hand.report().why, "it was killed by ada");
  EXPECT_THAT(hand.launched, IsEmpty());
  EXPECT_THAT(hand.store.below("/sort"), IsEmpty());
}

TEST_F(Operating, AnOutputThatIsAboutToBePublishedStillIs) {
  submit("sort");
  hand.begin();
  const auto tasks = hand.offer_map("a1", 2);
  hand.catalog_answers = false;
  for (const auto& task : tasks) hand.finish(task);
  EXPECT_EQ(hand.kill_job("sort"),
            "job 1 (sort) is about to publish its output, and can no longer be killed");
  hand.answer_catalog();
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_EQ(hand.kill_job("sort"), "job 1 (sort) has succeeded");
}

TEST_F(Operating, WithoutPoolsOfItsOwnNoJobMoves) {
  submit("sort");
  hand.begin();
  EXPECT_EQ(hand.move_job("sort", "research"),
            "it has no pools of its own for its jobs; `proffer framework move` moves all of it");
}

class MovingJobs : public Operating {
 protected:
  MovingJobs() : Operating(with_job_pools(1)) {}
  std::uint32_t next_map() { return hand.offer_map("a1").at(0).job.value; }
};

TEST_F(MovingJobs, AJobIsOrderedWhereItIsFromThenOn) {
  submit("one", "large");
  submit("two", "large");
  submit("three", "small");
  hand.begin();
  EXPECT_EQ(next_map(), 1u);
  EXPECT_EQ(next_map(), 3u);
  EXPECT_EQ(hand.move_job("one", "root-of-nothing"),
            "it has no pool 'root-of-nothing'; its pools are large, small");
  EXPECT_EQ(hand.move_job("three", "large"), "job 3 (three) is in pool large");
  EXPECT_EQ(next_map(), 2u);  // the only one of the pool that runs nothing
  EXPECT_THAT(all_of<JobMoved>(hand.traces), SizeIs(1));
}

TEST_F(MovingJobs, WhatItLeavesMayBeAnothersAndWhereItGoesTheLimitHolds) {
  submit("one", "small");
  submit("two", "small");
  submit("three", "large");
  hand.begin();
  EXPECT_EQ(hand.demand[Kind("map")], 4);  // two waits
  hand.revived.clear();
  EXPECT_EQ(hand.move_job("one", ""), "job 1 (one) is in the root");
  EXPECT_EQ(hand.demand[Kind("map")], 6);
  EXPECT_THAT(hand.revived, ElementsAre(Kind("map"), Kind("reduce")));
  hand.move_job("three", "small");
  EXPECT_EQ(hand.demand[Kind("map")], 4);
}

TEST_F(MovingJobs, AJobThatWaitsToBeginBeginsInItsNewPool) {
  submit("one", "small");
  submit("two", "small");
  hand.start();
  EXPECT_EQ(hand.move_job("two", "large"), "job 2 (two) is in pool large");
  hand.subscribe();
  EXPECT_EQ(hand.demand[Kind("map")], 4);
}

}  // namespace
}  // namespace proffer::mapreduce_test
