// Files that nodes keep for tasks.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/sim/small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;

/// A job of maps that read nothing but a cached file of these blocks, 60 MB each.
study::WorkloadJob& add_model_job(study::Plan& plan, std::size_t maps,
                                  std::vector<std::vector<std::string>> holders) {
  auto& job = add_job(plan, std::move(holders), seconds(10), 60'000'000);
  job.cached = std::exchange(job.file, std::nullopt);
  job.maps.assign(maps, {seconds(10), 0});
  return job;
}

double response_of(const study::RunResult& result, std::size_t job) {
  const auto& row = result.jobs.at(job);
  return *row.finished - row.submitted;
}

TEST(CachedFile, IsReadOnceByANodeBeforeItsFirstTaskWorks) {
  auto plan = plan_of(2, 1);
  add_model_job(plan, 2, {{"n1"}, {"n1"}});
  auto later = plan.workload.jobs[0];
  later.name = "job-2";
  later.submit = seconds(100);
  plan.workload.jobs.push_back(later);
  const auto result = run(plan);
  EXPECT_NEAR(response_of(result, 0), 3 + 120 / 30.0 + 10, 0.001) << "n0 reads at 30 MB/s";
  EXPECT_NEAR(response_of(result, 1), 3 + 10, 0.001);
}

TEST(CachedFile, IsWaitedForByAllTasksOfTheNode) {
  auto plan = plan_of(2, 2);
  plan.nodes[1].slots = {{Kind("reduce"), 1}};
  add_model_job(plan, 2, {{"n1"}});
  EXPECT_NEAR(response_of(run(plan), 0), 3 + 60 / 30.0 + 10, 0.001);
}

TEST(CachedFile, CostsAFactorInThePenaltyModel) {
  auto plan = plan_of(2, 1);
  plan.nodes[1].slots = {{Kind("reduce"), 1}};
  plan.cost.reading = study::CostModel::Reading::penalty;
  plan.cost.any_factor_milli = 1500;
  add_model_job(plan, 2, {{"n1"}});
  EXPECT_NEAR(response_of(run(plan), 0), (3 + 15) + (3 + 10), 0.001) << "one task after the other";
}

TEST(CachedFile, IsReadElsewhereWhenItsSourceDies) {
  auto plan = plan_of(3, 1);
  plan.nodes[1].slots = plan.nodes[2].slots = {{Kind("reduce"), 1}};
  plan.heartbeat = seconds(1);
  add_model_job(plan, 1, {{"n1", "n2"}});
  plan.faults = {{seconds(4), study::PlanFault::What::kill_node, "n1", seconds(60), 1000}};
  EXPECT_GT(response_of(run(plan), 0), 3 + 2 + 10 - 0.001);
}

TEST(CachedFile, IsReadAnewWhenItsReaderDies) {
  auto plan = plan_of(3, 1);
  plan.nodes[2].slots = {{Kind("reduce"), 1}};
  plan.heartbeat = seconds(1);
  add_model_job(plan, 4, {{"n2"}});
  plan.faults = {{seconds(4), study::PlanFault::What::kill_node, "n0", seconds(5), 1000}};
  SimulationOptions options;
  options.check_every = 7;
  EXPECT_EQ(run(plan, options).jobs.size(), 1u);
}

/// Small jobs that need a file of 600 MB, among others that keep most slots busy.
study::Plan models(std::uint64_t seed, const std::string& policy) {
  auto plan = plan_of(60, 2, 3);
  plan.seed = seed;
  plan.frameworks[0].policy = parse_policy(policy).value();
  study::GenerateSpec model;
  model.name = "model";
  model.bins = {{"", 3, 0, 60, {}, {}}};
  model.input = study::GenerateSpec::Input::none;
  model.arrivals.process = study::Arrivals::Process::poisson;
  model.arrivals.gap = seconds(8);
  auto other = model;
  other.name = "other";
  other.bins = {{"", 10, 0, 350, {}, {}}};
  other.arrivals.gap = std::chrono::milliseconds(1400);
  model.cached_bytes = 600'000'000;
  plan.workload = study::merge({study::generate(model, seed), study::generate(other, seed)});
  for (auto& job : plan.workload.jobs) job.framework = "mr";
  return plan;
}

struct CachedOutcome {
  double gigabytes = 0;  // read to be kept
  study::RunResult result;
};

CachedOutcome outcome_of(const study::Plan& plan) {
  study::Recorder recorder(plan, kStart);
  SimulationOptions options;
  options.codec = true;
  options.check_every = 1009;
  const auto simulated = simulate(plan, recorder, options);
  EXPECT_TRUE(simulated.ok());
  return {static_cast<double>(simulated->cached_bytes) / 1e9, recorder.finish(simulated->duration)};
}

TEST(CachedFile, TasksComeBackToTheNodesThatKeepItUnderDelayScheduling) {
  for (const std::uint64_t seed : {1u, 2u}) {
    const auto greedy = outcome_of(models(seed, "greedy"));
    const auto wait = outcome_of(models(seed, "wait,node_wait=5s,rack_wait=0s"));
    EXPECT_LT(wait.gigabytes, 0.5 * greedy.gigabytes);
    EXPECT_GT(wait.result.measures.at("node_local"), greedy.result.measures.at("node_local") + 0.15);
    EXPECT_LT(wait.result.measures.at("response_mean.3"), 0.9 * greedy.result.measures.at("response_mean.3"));
  }
}

TEST(CachedFile, SameSeedGivesTheSameRun) {
  const auto plan = models(4, "wait,node_wait=5s");
  EXPECT_EQ(run(plan).digest, run(plan).digest);
}

}  // namespace
}  // namespace proffer::sim
