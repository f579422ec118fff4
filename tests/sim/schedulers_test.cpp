// Comparators on small seeded clusters.
#include "small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;

/// Jobs that come one after the other to one framework that holds them all.
study::RunResult central(const std::string& policy, std::uint64_t seed = 3, SimulationOptions options = {}) {
  auto plan = busy_plan(seed, policy);
  plan.frameworks.resize(1);
  for (auto& job : plan.workload.jobs) job.framework = plan.frameworks[0].name;
  plan.cost.remote_rate = 10'000'000;
  return run(plan, options);
}
double node_local(const std::string& policy) { return central(policy).measures.at("node_local"); }

TEST(Quincy, IsMoreLocalThanGreedyAndNoLessSoWithADearerCore) {
  const auto greedy = node_local("greedy");
  const auto quincy = node_local("quincy");
  EXPECT_GT(quincy, greedy);
  EXPECT_GE(node_local("quincy,core_cost=20"), quincy);
}

TEST(Quincy, PreemptingRunsEndAndWhatWasKilledIsRunAgain) {
  SimulationOptions checked;
  checked.check_every = 50;
  const auto result = central("quincy,fair=true,preempt=true", 3, checked);
  EXPECT_EQ(result.measures.at("jobs.finished"), 12);
  EXPECT_GT(result.measures.at("tasks_unfinished"), 0);
  EXPECT_EQ(central("quincy,fair=true").measures.at("tasks_unfinished"), 0);
}

/// Over so many seeds: in a single one, tasks that are placed better may happen to delay others.
struct Totals {
  double node_local = 0;
  double response = 0;
};
Totals totals(const std::string& policy) {
  Totals sum;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto measures = central(policy, seed).measures;
    sum.node_local += measures.at("node_local");
    sum.response += measures.at("response_mean");
  }
  return sum;
}

TEST(Oracle, IsNoLessLocalAndNoSlowerThanWhoeverDoesNotKnowWhatItWaitsFor) {
  const auto oracle = totals("oracle");
  for (const auto* other :
       {"quincy", "auto", "wait,node_wait=5s,rack_wait=0s", "wait,node_wait=15s,rack_wait=0s"}) {
    const auto others = totals(other);
    EXPECT_GE(oracle.node_local, others.node_local) << other;
    EXPECT_LE(oracle.response, others.response) << other;
  }
}

TEST(Oracle, FinishesTheSameWorkAsTheOthers) {
  SimulationOptions checked;
  checked.check_every = 50;
  EXPECT_EQ(central("oracle", 3, checked).measures.at("jobs.finished"), 12);
}

}  // namespace
}  // namespace proffer::sim
