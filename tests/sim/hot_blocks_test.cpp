// Blocks in demand, in the machines that run live: more replicas are made, and read.
#include <gmock/gmock.h>

#include "tests/sim/small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;

/// Jobs that all want the same few blocks.
study::Plan hot_plan(std::uint64_t seed, ReplicationPolicy policy) {
  auto plan = plan_of(8, 2, 2);
  plan.seed = seed;
  plan.frameworks[0].policy = parse_policy("wait,node_wait=2s,rack_wait=0s").value();
  study::GenerateSpec spec;
  spec.bins = {{"", 12, 0, 40, {}, {}}};
  spec.arrivals.process = study::Arrivals::Process::poisson;
  spec.arrivals.gap = seconds(9);
  spec.dataset = study::Dataset{80, 150, 900};
  plan.workload = study::generate(spec, seed);
  for (auto& job : plan.workload.jobs) job.framework = "mr";
  plan.hot_blocks.policy = policy;
  plan.hot_blocks.variant = DsbraVariant::accessed;
  plan.hot_blocks.interval = seconds(30);
  plan.hot_blocks.threshold = seconds(2);
  return plan;
}

study::RunResult run_with_checks(const study::Plan& plan) {
  SimulationOptions options;
  options.check_every = 7;
  options.codec = true;
  return run(plan, options);
}

TEST(HotBlocks, GetReplicasWithinTheCapAndAreReadLocallyMoreOften) {
  const auto fixed = run_with_checks(hot_plan(1, ReplicationPolicy::fixed));
  const auto dsbra = run_with_checks(hot_plan(1, ReplicationPolicy::dsbra));
  EXPECT_FALSE(fixed.measures.contains("copies.made"));
  EXPECT_GT(dsbra.measures.at("copies.made"), 5);
  EXPECT_LE(dsbra.measures.at("storage_extra_max"), 0.3);
  EXPECT_GT(dsbra.measures.at("node_local"), fixed.measures.at("node_local"));
}

TEST(HotBlocks, LiteralFormulaMovesNothing) {
  auto plan = hot_plan(1, ReplicationPolicy::dsbra);
  plan.hot_blocks.variant = DsbraVariant::literal;
  const auto literal = run_with_checks(plan);
  EXPECT_EQ(literal.measures.at("copies.made"), 0);
  EXPECT_EQ(literal.measures.at("storage_extra_max"), 0);
}

TEST(HotBlocks, DareKeepsWhatWasReadFromElsewhere) {
  const auto dare = run_with_checks(hot_plan(1, ReplicationPolicy::dare));
  EXPECT_GT(dare.measures.at("copies.made"), 5);
  EXPECT_LE(dare.measures.at("storage_extra_max"), 0.3);
}

TEST(HotBlocks, SameSeedGivesTheSameRun) {
  const auto plan = hot_plan(2, ReplicationPolicy::dsbra);
  EXPECT_EQ(run(plan).digest, run(plan).digest);
}

study::Plan with_dying_nodes(std::uint64_t seed) {
  auto plan = hot_plan(seed, ReplicationPolicy::dsbra);
  plan.heartbeat = seconds(1);
  plan.cost.nic_rate = 5'000'000;  // copies take 20 s and more
  for (int n = 0; n < 6; ++n) {
    plan.faults.push_back({seconds(35 + 40 * n), study::PlanFault::What::kill_node, "n" + std::to_string(n),
                           seconds(30), 1000});
  }
  return plan;
}

TEST(HotBlocks, NodesThatDieDuringCopiesHarmNothing) {
  const auto result = run_with_checks(with_dying_nodes(3));
  EXPECT_GT(result.measures.at("copies.made"), 0);
  EXPECT_GT(result.measures.at("copies.failed"), 0);
  EXPECT_LE(result.measures.at("storage_extra_max"), 0.3);
}

TEST(HotBlocks, NoJobFailsForNodesThatDieAndComeBack) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto plan = with_dying_nodes(seed);
    study::Recorder recorder(plan, kStart, {true, true});
    EXPECT_THAT(simulate(plan, recorder, {}).value().jobs_failed, ::testing::IsEmpty()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace proffer::sim
