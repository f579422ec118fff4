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
  SimulationOptions options;
  options.check_every = 50;
  return run(plan, options);
}
double node_local(const std::string& policy, std::uint64_t seed = 3) {
  return central(policy, seed).measures.at("node_local");
}

TEST(Quincy, IsMoreLocalThanGreedyAndNoLessSoWithADearerCore) {
  const auto greedy = node_local("greedy");
  const auto quincy = node_local("quincy");
  EXPECT_GT(quincy, greedy);
  EXPECT_GE(node_local("quincy,core_cost=20"), quincy);
}

TEST(Quincy, PreemptingRunsEndAndWhatWasKilledIsRunAgain) {
  const auto result = central("quincy,fair=true,preempt=true");
  EXPECT_EQ(result.measures.at("jobs.finished"), 12);
  EXPECT_GT(result.measures.at("tasks_unfinished"), 0);
  EXPECT_EQ(central("quincy,fair=true").measures.at("tasks_unfinished"), 0);
}

TEST(Oracle, IsMoreLocalThanGreedyAndSnapshots) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const auto most = node_local("oracle,horizon=30s", seed);
    for (const auto* other : {"greedy", "quincy", "quincy,core_cost=20"}) {
      EXPECT_GE(most, node_local(other, seed)) << other << ", seed " << seed;
    }
  }
}

TEST(Oracle, FinishesTheSameWorkAsTheOthers) {
  EXPECT_EQ(central("oracle").measures.at("jobs.finished"), 12);
}

}  // namespace
}  // namespace proffer::sim
