// Quincy: slots of a message planned for together (Isard et al. 2009).
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

/// Maps of 128 MB: over the core they cost what 0.512 s of waiting costs, within a rack half of that.
PendingTask block_on(std::string id, const std::vector<std::uint64_t>& agents, Duration since = 0s) {
  auto task = map_on(std::move(id), agents);
  task.bytes = 128'000'000;
  task.since = at(since);
  return task;
}

std::vector<std::string> victims(PolicyBench& bench, Duration when) {
  std::vector<std::string> said;
  for (const auto& task : bench.victims(when)) said.push_back(task.value);
  return said;
}

TEST(QuincyPolicy, AnAssignmentThatGreedyMissesHasAllTasksLocal) {
  for (const auto* policy : {"greedy", "quincy"}) {
    PolicyBench bench(policy);
    const auto job = bench.job(1);
    bench.pool.add(job, block_on("both", {1, 11}));
    bench.pool.add(job, block_on("one", {1}));
    const auto said = bench.offers({offer(1, agent(1)), offer(2, agent(11))}, 0s);
    if (policy == std::string("quincy")) {
      EXPECT_THAT(said, ElementsAre("one@node", "both@node"));
    } else {
      EXPECT_THAT(said, ElementsAre("both@node", "one@any"));
    }
  }
}

TEST(QuincyPolicy, ATaskIsMovedOnceItsWaitCostsMore) {
  PolicyBench bench("quincy");
  bench.pool.add(bench.job(1), block_on("a", {1}));
  EXPECT_EQ(bench.slot(11, 0s), "policy");
  EXPECT_EQ(bench.level_change(0s), Duration{256ms}) << "when it would take one in its rack";
  EXPECT_EQ(bench.slot(11, 500ms), "policy");
  EXPECT_EQ(bench.slot(2, 400ms), "a@rack");
}

TEST(QuincyPolicy, TheCoreCostSetsHowLongThatTakes) {
  PolicyBench bench("quincy,core_cost=20");
  bench.pool.add(bench.job(1), block_on("a", {1}));
  EXPECT_EQ(bench.slot(11, 5s), "policy");
  EXPECT_EQ(bench.slot(11, 5200ms), "a@any");
}

TEST(QuincyPolicy, WhoHasWaitedLongestComesFirst) {
  PolicyBench bench("quincy");
  bench.pool.add(bench.job(1), block_on("young", {1}, 8s));
  bench.pool.add(bench.job(2), block_on("old", {1}, 1s));
  EXPECT_EQ(bench.slot(1, 9s), "old@node");
}

TEST(QuincyPolicy, FairMeansNoMoreThanTheShareOfAJob) {
  PolicyBench bench("quincy,fair=true");
  for (const std::uint32_t n : {1u, 2u}) {
    const auto job = bench.job(n);
    for (int i = 0; i < 9; ++i) {
      bench.pool.add(job, block_on("j" + std::to_string(n) + "-" + std::to_string(i), {1}, n * 10s));
    }
  }
  const auto said = bench.offers({offer(1, agent(1), 6)}, 40s);
  EXPECT_EQ(std::count_if(said.begin(), said.end(), [](auto& s) { return s.starts_with("j1"); }), 3);
  EXPECT_EQ(std::count_if(said.begin(), said.end(), [](auto& s) { return s.starts_with("j2"); }), 3);
}

TEST(QuincyPolicy, TasksWithoutPreferencesTakeAnySlotAtOnce) {
  PolicyBench bench("quincy");
  bench.pool.add(bench.job(1), anywhere("reduce", kReduce));
  EXPECT_THAT(bench.offers({offer(1, agent(1), 2, kReduce)}, 0s),
              ElementsAre("reduce@any", "no-pending-task"));
}

/// Job 1 runs a task on each of the agents 1 and 2, the second since 6 s; then job 2 comes.
struct TwoJobs : PolicyBench {
  explicit TwoJobs(std::string_view text) : PolicyBench(text) {
    const auto first = job(1);
    pool.add(first, block_on("early", {1}));
    slot(1, 0s);
    pool.add(first, block_on("late", {2}, 6s));
    slot(2, 6s);
    pool.add(job(2), block_on("new", {1}, 8s));
  }
};

TEST(QuincyPolicy, PreemptsTheNewestTaskOfWhoHasMoreThanItsShare) {
  TwoJobs bench("quincy,fair=true,preempt=true");
  EXPECT_EQ(bench.victims_at(), Time{}) << "it was never asked";
  EXPECT_THAT(victims(bench, 8s), ElementsAre("late"));
  EXPECT_THAT(victims(bench, 9s), IsEmpty()) << "it was told already";
}

TEST(QuincyPolicy, WithoutFairnessWhatRunsIsWorthMoreThanAShortWait) {
  TwoJobs bench("quincy,preempt=true");
  EXPECT_THAT(victims(bench, 8s), IsEmpty());
}

TEST(QuincyPolicy, WithoutPreemptionNobodyIsKilled) {
  TwoJobs bench("quincy,fair=true");
  EXPECT_EQ(bench.victims_at(), std::nullopt);
  EXPECT_THAT(victims(bench, 8s), IsEmpty());
}

TEST(QuincyPolicy, ATaskThatHasJustBegunToMoveItsInputYieldsToALocalOne) {
  PolicyBench bench("quincy,preempt=true,core_cost=20");
  const auto job = bench.job(1);
  bench.pool.add(job, block_on("remote", {11}));
  EXPECT_EQ(bench.slot(1, 6s), "remote@any");
  bench.pool.add(job, block_on("local", {1}));
  EXPECT_THAT(victims(bench, 8s), ElementsAre("remote"));
}

TEST(QuincyPolicy, SolvesNoOftenerThanItMay) {
  TwoJobs bench("quincy,fair=true,preempt=true,solve_every=5s");
  victims(bench, 8s);
  EXPECT_EQ(bench.victims_at(), Time{at(13s)});
}

}  // namespace
}  // namespace proffer::testing
