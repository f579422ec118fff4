// Tenants that share processors and memory by dominant share.
#include <gmock/gmock.h>

#include <string>

#include "proffer/bulk.hpp"
#include "proffer/sim/alone.hpp"
#include "proffer/study/plan_rules.hpp"
#include "tests/sim/small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;

/// Tenants t0, t1, ... with maps of those needs; nodes of 9 processors and 18 MiB.
study::Plan tenants(int nodes, const std::vector<Resources>& needs, int maps) {
  auto plan = plan_of(nodes, 1);
  for (auto& node : plan.nodes) node.slots = {{kCpus, 9000}, {kMemory, 18}};
  plan.frameworks.clear();
  for (std::size_t t = 0; t < needs.size(); ++t) {
    plan.frameworks.push_back({"t" + std::to_string(t), "", "", {"greedy", {}}, 0});
    plan.frameworks.back().map_kind = kCpus;
    study::WorkloadJob job;
    job.name = "job-" + std::to_string(t);
    job.framework = plan.frameworks.back().name;
    job.need = needs[t];
    job.maps.assign(static_cast<std::size_t>(maps), {seconds(10), 0});
    plan.workload.jobs.push_back(std::move(job));
  }
  return plan;
}

const Resources kMuchMemory{{kCpus, 1000}, {kMemory, 4}};
const Resources kManyCpus{{kCpus, 3000}, {kMemory, 1}};

/// The tasks of a tenant that were placed at the first time at which any was.
std::int64_t first_wave(const study::RunResult& result, const std::string& tenant) {
  double first = result.tasks.front().placed;
  for (const auto& task : result.tasks) first = std::min(first, task.placed);
  return std::count_if(result.tasks.begin(), result.tasks.end(),
                       [&](const auto& task) { return task.framework == tenant && task.placed == first; });
}

// Ghodsi et al., NSDI 2011, §4.1: of 9 processors and 18 GB, three tasks of the one and two of the other.
TEST(BulkPlans, AreSharedAsInThePapersExampleOnEveryNode) {
  auto plan = tenants(10, {kMuchMemory, kManyCpus}, 200);
  plan.allocator.batch = seconds(1);  // both want something by the first offers
  const auto result = run_checked(plan);
  EXPECT_EQ(first_wave(result, "t0"), 30);
  EXPECT_EQ(first_wave(result, "t1"), 20);
  EXPECT_EQ(result.jobs.size(), 2u);
  for (const auto& job : result.jobs) EXPECT_TRUE(job.ok);
}

TEST(BulkPlans, TellHowMuchOfEachKindIsUsed) {
  const auto result = run(tenants(1, {kMuchMemory, kManyCpus}, 30));
  EXPECT_GT(result.measures.at("utilisation.cpus"), 0.8);
  EXPECT_LE(result.measures.at("utilisation.cpus"), 1);
  EXPECT_GT(result.measures.at("utilisation.memory"), 0.5);
}

TEST(BulkPlans, WithARigidJobStartItAsAWhole) {
  auto plan = tenants(4, {kMuchMemory, kMuchMemory}, 12);
  plan.heartbeat = seconds(1);
  plan.workload.jobs[0].rigid = true;
  const auto result = run_checked(plan);
  double first = 1e9;
  for (const auto& task : result.tasks) first = task.framework == "t0" ? std::min(first, task.placed) : first;
  const auto at_first = std::ranges::count_if(
      result.tasks, [&](const auto& task) { return task.framework == "t0" && task.placed == first; });
  EXPECT_EQ(at_first, 12);
  for (const auto& job : result.jobs) EXPECT_TRUE(job.ok);
}

TEST(BulkPlans, OfATenantWithUnlikeJobsRunWhereEachFits) {
  auto plan = tenants(2, {{{kCpus, 8000}, {kMemory, 1}}}, 3);
  plan.nodes[1].slots = {{kCpus, 2000}, {kMemory, 64}};
  plan.workload.jobs.push_back(plan.workload.jobs[0]);
  plan.workload.jobs[1].name = "memory";
  plan.workload.jobs[1].need = {{kCpus, 1000}, {kMemory, 48}};
  const auto result = run_checked(plan);
  ASSERT_EQ(result.jobs.size(), 2u);
  for (const auto& job : result.jobs) EXPECT_TRUE(job.ok) << job.name;
}

TEST(BulkPlans, HaveSlowdownsAgainstTheEmptyCluster) {
  const auto plan = tenants(1, {kMuchMemory, kManyCpus}, 8);
  const auto alone = responses_alone(plan);
  ASSERT_TRUE(alone) << alone.error().message;
}

TEST(BulkPlans, WithAMapThatNoNodeHoldsAreRefused) {
  EXPECT_EQ(refusal(tenants(4, {{{kCpus, 1000}, {kMemory, 19}}}, 1)),
            "job job-0 needs more for a map than any node has");
}

TEST(BulkPlans, WhoseTenantTakesSlotsAsWellAreRefused) {
  auto plan = tenants(4, {kMuchMemory}, 1);
  plan.nodes[0].slots.set(Kind("map"), 1);
  plan.workload.jobs.push_back(plan.workload.jobs[0]);
  plan.workload.jobs[1].name = "other";
  plan.workload.jobs[1].need = {};
  EXPECT_EQ(refusal(plan),
            "job other: the jobs of t0 take either slots or bulk resources (need), not some "
            "the one and some the other");
}

}  // namespace
}  // namespace proffer::sim
