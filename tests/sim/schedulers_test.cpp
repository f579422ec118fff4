// Comparators on small seeded clusters.
#include "small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;

/// Jobs that come one after the other to one framework that holds them all.
study::RunResult central(const std::string& policy, std::uint64_t seed = 3) {
  auto plan = busy_plan(seed, policy);
  plan.frameworks.resize(1);
  for (auto& job : plan.workload.jobs) job.framework = plan.frameworks[0].name;
  plan.cost.remote_rate = 10'000'000;
  return run(plan, {.check_every = 50});
}
double node_local(const std::string& policy, std::uint64_t seed = 3) {
  return central(policy, seed).measures.at("node_local");
}

TEST(Quincy, IsMoreLocalThanGreedyAndMoreSoWithADearerCore) {
  const auto greedy = node_local("greedy");
  const auto quincy = node_local("quincy");
  EXPECT_GT(quincy, greedy);
  EXPECT_GT(node_local("quincy,core_cost=20"), quincy);
}

TEST(Quincy, PreemptingRunsEndAndWhatWasKilledIsRunAgain) {
  const auto result = central("quincy,fair=true,preempt=true");
  EXPECT_EQ(result.measures.at("jobs.finished"), 12);
  EXPECT_GT(result.measures.at("tasks_unfinished"), 0);
  EXPECT_EQ(central("quincy,fair=true").measures.at("tasks_unfinished"), 0);
}

TEST(Oracle, IsMoreLocalThanEveryOtherPolicy) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const auto most = node_local("oracle,horizon=30s", seed);
    for (const auto* other :
         {"greedy", "wait,node_wait=5s,rack_wait=5s", "auto", "quincy", "quincy,core_cost=20"}) {
      EXPECT_GE(most, node_local(other, seed)) << other << ", seed " << seed;
    }
  }
}

TEST(Oracle, FinishesTheSameWorkAsTheOthers) {
  EXPECT_EQ(central("oracle").measures.at("jobs.finished"), 12);
}

}  // namespace
}  // namespace proffer::sim
