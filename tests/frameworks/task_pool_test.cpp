// The pool of unlaunched tasks.
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

TEST(TaskPool, TakesTheTaskThatIsNearestAndOfThoseTheOldest) {
  PolicyBench bench("greedy");
  const auto job = bench.job(1);
  bench.pool.add(job, map_on("far", {21}));
  bench.pool.add(job, map_on("rack", {2}));
  bench.pool.add(job, map_on("node", {1}));
  bench.pool.add(job, map_on("node_later", {1}));
  EXPECT_THAT(bench.offers({offer(1, agent(1), 4)}, 0s),
              ElementsAre("node@node", "node_later@node", "rack@rack", "far@any"));
}

TEST(TaskPool, TasksWithoutPlacesPreferWhatTheirJobPrefers) {
  PolicyBench bench("wait,node_wait=5s,rack_wait=5s");
  const auto job = bench.job_of(3, {});
  EXPECT_EQ(bench.slot(1, 0s), "t0@any");
  EXPECT_TRUE(bench.pool.prefer_all(job, kMap, {agent_id(2), agent_id(3)}));
  EXPECT_FALSE(bench.pool.prefer_all(job, kMap, {agent_id(3)})) << "nothing new";
  EXPECT_EQ(bench.pool.preferred_agents(job, kMap), 1);
  EXPECT_EQ(bench.slot(1, 1s), "no-node-local");
  EXPECT_EQ(bench.slot(2, 1s), "no-node-local");
  EXPECT_EQ(bench.slot(3, 1s), "t1@node");
  bench.pool.prefer_all(job, kMap, {});
  EXPECT_EQ(bench.slot(1, 2s), "t2@any");
}

TEST(TaskPool, TasksWithPlacesOfTheirOwnKeepThem) {
  PolicyBench bench("greedy");
  const auto job = bench.job(1);
  EXPECT_FALSE(bench.pool.prefer_all(job, kMap, {agent_id(1)})) << "nobody waits yet";
  bench.pool.add(job, map_on("elsewhere", {2}));
  bench.pool.add(job, anywhere("first"));
  bench.pool.add(job, map_on("here", {1}));
  EXPECT_EQ(bench.pool.preferred_agents(job, kMap), 2);
  EXPECT_THAT(bench.offers({offer(1, agent(1), 3)}, 0s),
              ElementsAre("first@node", "here@node", "elsewhere@rack"));
}

TEST(TaskPool, JobsWithFewerRunningTasksComeFirstThenInOrderOfSubmission) {
  PolicyBench bench("greedy");
  for (const std::uint32_t n : {2u, 1u}) {
    const auto job = bench.job(n);
    for (const auto* id : {"a", "b", "c"}) bench.pool.add(job, anywhere("j" + std::to_string(n) + id));
  }
  EXPECT_THAT(bench.offers({offer(1, agent(1), 4)}, 0s),
              ElementsAre("j2a@any", "j1a@any", "j2b@any", "j1b@any"));
  end_one(bench.pool, {1});
  EXPECT_THAT(bench.pool.in_order(kMap), ElementsAre(JobId{1}, JobId{2}));
}

TEST(TaskPool, InFifoModeOnlyTheOrderOfSubmissionCounts) {
  PolicyBench bench("greedy", PoolOrder::fifo);
  for (const std::uint32_t n : {2u, 1u}) {
    const auto job = bench.job(n);
    for (const auto* id : {"a", "b", "c"}) bench.pool.add(job, anywhere("j" + std::to_string(n) + id));
  }
  EXPECT_THAT(bench.offers({offer(1, agent(1), 4)}, 0s),
              ElementsAre("j2a@any", "j2b@any", "j2c@any", "j1a@any"));
}

/// Two unlaunched maps each.
void add_two(PolicyBench& bench, JobId job) {
  for (const auto* id : {"a", "b"}) bench.pool.add(job, anywhere("j" + std::to_string(job.value) + id));
}

TEST(TaskPool, InFifoModeAHigherPriorityGoesBeforeTheOrderOfSubmission) {
  PolicyBench bench("greedy", PoolOrder::fifo);
  add_two(bench, bench.job(1));
  add_two(bench, bench.job(2, {.priority = Priority::high}));
  EXPECT_THAT(bench.pool.in_order(kMap), ElementsAre(JobId{2}, JobId{1}));
}

// Central HFS: one framework holds all jobs, in pools.
TEST(TaskPool, PoolsShareFirstThenTheirJobsEachPoolInItsOwnOrder) {
  PolicyBench bench("greedy", PoolOrder::fair,
                    {{"crowd", 1000, {}, PoolOrder::fifo}, {"owed", 1000, {{kMap, 2}}}});
  add_two(bench, bench.job(1, {.pool = "crowd"}));
  add_two(bench, bench.job(2, {.pool = "crowd"}));
  add_two(bench, bench.job(3, {.pool = "owed"}));
  EXPECT_THAT(bench.offers({offer(1, agent(1), 5)}, 0s),
              ElementsAre("j3a@any", "j3b@any", "j1a@any", "j1b@any", "j2a@any"));
}

TEST(TaskPool, JobsOfAUserWithHisPartOfTheFrameworksShareComeLast) {
  PoolSpec root;
  root.order = PoolOrder::capacity;
  root.user_limit = 25;
  PolicyBench bench("greedy", PoolOrder::fair, {root});
  bench.standings = {{kMap, 0, 4}};
  for (const std::uint32_t job : {1u, 2u, 3u}) add_two(bench, bench.job(job, {.user = "ann"}));
  add_two(bench, bench.job(4, {.user = "bob"}));
  EXPECT_THAT(bench.offers({offer(1, agent(1), 5)}, 0s),
              ElementsAre("j1a@any", "j2a@any", "j4a@any", "j4b@any", "j3a@any"));
}

TEST(TaskPool, JobsBeyondALimitWaitWithoutDemandUntilAPlaceIsFree) {
  PolicyBench bench("greedy", PoolOrder::fair, {{.name = "p", .max_running = 1}});
  const auto first = bench.job(1, {.pool = "p"});
  add_two(bench, first);
  add_two(bench, bench.job(2, {.pool = "p"}));
  EXPECT_EQ(bench.pool.demand(kMap), 2);
  EXPECT_THAT(bench.pool.in_order(kMap), ElementsAre(first));
  for (const auto* id : {"j1a", "j1b"}) bench.pool.remove(first, {id});
  bench.pool.remove_job(first);
  EXPECT_TRUE(bench.pool.take_admitted());
  EXPECT_FALSE(bench.pool.take_admitted());
  EXPECT_THAT(bench.pool.in_order(kMap), ElementsAre(JobId{2}));
  bench.pool.check_invariants();
}

TEST(TaskPool, WhatAJobRunsThatHasLostItsPlaceIsStillDemand) {
  PolicyBench bench("greedy", PoolOrder::fair, {{.name = "p", .max_running = 1}});
  add_two(bench, bench.job(1, {.pool = "p"}));
  bench.slot(1, 0s);
  add_two(bench, bench.job(2, {.pool = "p", .priority = Priority::high}));
  EXPECT_EQ(bench.pool.demand(kMap), 3);
  EXPECT_THAT(bench.pool.in_order(kMap), ElementsAre(JobId{2}));
}

TEST(TaskPool, KindsAreOrderedApart) {
  PolicyBench bench("greedy");
  const auto maps = bench.job(1);
  bench.pool.add(maps, anywhere("m"));
  const auto reduces = bench.job(2);
  bench.pool.add(reduces, anywhere("r", kReduce));
  EXPECT_THAT(bench.pool.in_order(kReduce), ElementsAre(reduces));
  EXPECT_THAT(bench.offers({offer(1, agent(1), 2, kReduce)}, 0s), ElementsAre("r@any", "no-pending-task"));
}

/// Job 1 has half of the reduce slots, and then a quarter of the map slots, job 2 half of these.
void use_of_both_kinds(PolicyBench& bench) {
  bench.standings = {{kMap, 0, 4}, {kReduce, 0, 2}};
  for (const std::uint32_t n : {1u, 2u}) {
    const auto job = bench.job(n);
    for (const auto* id : {"a", "b", "c"}) bench.pool.add(job, anywhere("j" + std::to_string(n) + id));
  }
  bench.pool.add({1}, anywhere("j1r", kReduce));
  EXPECT_THAT(bench.offers({offer(1, agent(1), 1, kReduce)}, 0s), ElementsAre("j1r@any"));
}

TEST(TaskPool, EachKindIsSharedByItselfUnlessSharesAreDominant) {
  PolicyBench bench("greedy");
  use_of_both_kinds(bench);
  EXPECT_THAT(bench.offers({offer(2, agent(1), 4)}, 0s),
              ElementsAre("j1a@any", "j2a@any", "j1b@any", "j2b@any"));
}

TEST(TaskPool, WithDominantSharesTheLargestPartOfAnyKindCounts) {
  PolicyBench bench("greedy", JobSharing{.share_by = ShareBy::dominant});
  use_of_both_kinds(bench);
  EXPECT_THAT(bench.offers({offer(2, agent(1), 4)}, 0s),
              ElementsAre("j2a@any", "j2b@any", "j1a@any", "j1b@any"));
  EXPECT_THAT(bench.pool.in_order(kMap), ElementsAre(JobId{1}, JobId{2})) << "both have half of something";
  end_one(bench.pool, {2});
  EXPECT_THAT(bench.pool.in_order(kMap), ElementsAre(JobId{2}, JobId{1}));
}

TEST(TaskPool, DominantSharesArePartsOfWhatTheFrameworkIsEntitledToNow) {
  PolicyBench bench("greedy", JobSharing{.share_by = ShareBy::dominant});
  use_of_both_kinds(bench);
  EXPECT_EQ(bench.slot(1, 0s), "j2a@any");
  EXPECT_THAT(bench.pool.in_order(kMap), ElementsAre(JobId{2}, JobId{1}));
  bench.pool.entitle(kReduce, 8);
  EXPECT_THAT(bench.pool.in_order(kMap), ElementsAre(JobId{1}, JobId{2})) << "an eighth, and a quarter";
}

TEST(TaskPool, JobsOfAUserBeyondHisLimitWait) {
  PolicyBench bench("greedy", JobSharing{.users = {{"ann", 1}}});
  for (const std::uint32_t job : {1u, 2u}) add_two(bench, bench.job(job, {.user = "ann"}));
  add_two(bench, bench.job(3, {.user = "bob"}));
  EXPECT_THAT(bench.pool.in_order(kMap), ElementsAre(JobId{1}, JobId{3}));
}

TEST(TaskPool, ARemovedTaskIsNeverPlaced) {
  PolicyBench bench("greedy");
  const auto job = bench.job(1);
  bench.pool.add(job, map_on("gone", {1}));
  bench.pool.add(job, map_on("stays", {1}));
  EXPECT_TRUE(bench.pool.remove(job, {"gone"}));
  EXPECT_FALSE(bench.pool.remove(job, {"gone"}));
  EXPECT_EQ(bench.slot(1, 0s), "stays@node");
}

TEST(TaskPool, DemandIsWhatWaitsAndWhatRuns) {
  PolicyBench bench("greedy");
  const auto job = bench.job(1);
  bench.pool.add(job, anywhere("a"));
  bench.pool.add(job, anywhere("b"));
  bench.slot(1, 0s);
  EXPECT_EQ(bench.pool.demand(kMap), 2);
  EXPECT_EQ(bench.pool.running(job, kMap), 1);
  end_one(bench.pool, job);
  EXPECT_EQ(bench.pool.demand(kMap), 1);
  EXPECT_EQ(bench.pool.demand(kReduce), 0);
}

TEST(TaskPoolDeathTest, AJobWithTasksCannotBeRemoved) {
  TaskPool pool;
  pool.add_job({1}, "grep");
  pool.add({1}, anywhere("a"));
  EXPECT_DEATH(pool.remove_job({1}), "job grep has tasks");
}

TEST(TaskPoolDeathTest, TwoWaitingTasksOfOneIdAbort) {
  TaskPool pool;
  pool.add_job({1}, "grep");
  pool.add({1}, anywhere("a"));
  EXPECT_DEATH(pool.add({1}, anywhere("a")), "already");
}

TEST(GreedyPolicy, HeadOfLineMakesASmallJobTakeTheFirstSlotWhereverItIs) {
  PolicyBench bench("greedy");
  const auto big = bench.job(1);
  for (int i = 0; i < 20; ++i) bench.pool.add(big, map_on("big" + std::to_string(i), {1, 2, 11}));
  EXPECT_EQ(bench.slot(1, 0s), "big0@node");
  const auto small = bench.job(2);
  bench.pool.add(small, map_on("small", {31}));
  EXPECT_EQ(bench.slot(2, 1s), "small@any");
}

TEST(GreedyPolicy, StickySlotsGiveAJobBackTheSlotThatItHasFreed) {
  PolicyBench bench("greedy");
  two_jobs(bench);
  bench.slot(2, 0s);  // job 1 begins on agent 2, where it has no data
  bench.slot(1, 0s);  // and job 2 on agent 1
  for (int round = 1; round < 5; ++round) {
    end_one(bench.pool, {1});
    EXPECT_EQ(bench.slot(2, round * 1s), "j1-" + std::to_string(round) + "@rack");
    end_one(bench.pool, {2});
    EXPECT_EQ(bench.slot(1, round * 1s), "j2-" + std::to_string(round) + "@rack");
  }
}

TEST(GreedyPolicy, StockHadoopsCountsHideStickySlotsForTheTimeOfACommit) {
  PolicyBench bench("greedy", JobSharing{.commit_time = 3s});
  two_jobs(bench);
  bench.slot(2, 0s);
  bench.slot(1, 0s);
  bench.slot(1, 0s);  // job 1 runs two tasks, job 2 one
  end_one(bench.pool, {1}, kMap, 1s);
  end_one(bench.pool, {1}, kMap, 1s);
  EXPECT_EQ(bench.slot(2, 2s), "j2-1@node");  // the tasks of job 1 count on
  EXPECT_EQ(bench.pool.demand(kMap), 18);     // and are wanted by nobody
  EXPECT_EQ(bench.slot(2, 4s), "j1-2@rack");
}

TEST(TaskPool, AJobMayGoWhileItsTasksCountOn) {
  PolicyBench bench("greedy", JobSharing{.commit_time = 3s});
  const auto job = bench.job(1);
  bench.pool.add(job, anywhere("a"));
  bench.slot(1, 0s);
  end_one(bench.pool, job, kMap, 1s);
  bench.pool.remove_job(job);
  const auto next = bench.job(2);
  bench.pool.add(next, anywhere("b"));
  EXPECT_EQ(bench.slot(1, 9s), "b@any");
}

}  // namespace
}  // namespace proffer::testing
