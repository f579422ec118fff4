// Jobs whose maps start all at once or not at all, beside each other.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "proffer/random.hpp"
#include "proffer/study/plan_rules.hpp"
#include "tests/sim/small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;

/// Tenants t0, t1, ... on nodes of one map slot each.
study::Plan tenants_on(int nodes, int tenants) {
  auto plan = plan_of(nodes, 1);
  plan.heartbeat = seconds(1);
  plan.frameworks.clear();
  for (int t = 0; t < tenants; ++t) {
    plan.frameworks.push_back({"t" + std::to_string(t), "", "", {"greedy", {}}, 0});
  }
  return plan;
}

void add_rigid(study::Plan& plan, const std::string& framework, int maps, Duration compute,
               Duration submit = {}) {
  study::WorkloadJob job;
  job.name = "job-" + std::to_string(plan.workload.jobs.size());
  job.framework = framework;
  job.submit = submit;
  job.rigid = true;
  job.maps.assign(static_cast<std::size_t>(maps), {compute, 0});
  plan.workload.jobs.push_back(std::move(job));
}

/// The times at which tasks of a job were placed. Those of one start are one time.
std::set<double> starts_of(const study::RunResult& result, const std::string& job) {
  std::set<double> starts;
  for (const auto& task : result.tasks) {
    if (task.job == job) starts.insert(task.placed);
  }
  return starts;
}

/// Each start of a job, also one that was in vain, is one of all of its maps at one time.
void all_are_done_whole(const study::RunResult& result) {
  for (const auto& job : result.jobs) {
    EXPECT_TRUE(job.ok) << job.name;
    std::map<std::string, std::vector<double>> starts;  // by the number of the attempt
    for (const auto& task : result.tasks) {
      if (task.job == job.name) starts[task.task.substr(task.task.rfind('-'))].push_back(task.placed);
    }
    for (const auto& [attempt, times] : starts) {
      EXPECT_EQ(times.size(), job.maps) << job.name << attempt << " did not start as a whole";
      EXPECT_EQ(std::set<double>(times.begin(), times.end()).size(), 1u) << job.name << attempt;
    }
  }
}

TEST(RigidJobs, StartAllTheirMapsAtOnce) {
  auto plan = tenants_on(6, 1);
  add_rigid(plan, "t0", 6, seconds(10));
  const auto result = run_checked(plan);
  EXPECT_THAT(starts_of(result, "job-0"), testing::SizeIs(1));
  EXPECT_THAT(result.tasks, testing::SizeIs(6));
}

TEST(RigidJobs, OfTwoTenantsThatHoldHalfEachOneLetsTheOtherBegin) {
  auto plan = tenants_on(8, 2);
  add_rigid(plan, "t0", 6, seconds(10));
  add_rigid(plan, "t1", 6, seconds(10));
  const auto result = run_checked(plan);
  all_are_done_whole(result);
  EXPECT_LT(result.jobs[0].finished.value_or(1e9), 120);
  EXPECT_LT(result.jobs[1].finished.value_or(1e9), 120);
}

TEST(RigidJobs, StartAgainAsAWholeWhenANodeDies) {
  auto plan = tenants_on(6, 1);
  add_rigid(plan, "t0", 4, seconds(60));
  plan.faults.push_back({seconds(30), study::PlanFault::What::kill_node, "n0", seconds(20)});
  plan.faults.push_back({seconds(32), study::PlanFault::What::kill_node, "n1", seconds(20)});
  plan.faults.push_back({seconds(34), study::PlanFault::What::kill_node, "n2", seconds(20)});
  const auto result = run_checked(plan);
  EXPECT_TRUE(result.jobs.at(0).ok);
  const auto starts = starts_of(result, "job-0");
  EXPECT_GE(starts.size(), 2u);
  EXPECT_EQ(result.tasks.size(), 4 * starts.size());
}

TEST(RigidJobs, OfAnySizesEndOnAFullCluster) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    auto plan = tenants_on(10, 2 + static_cast<int>(random.below(3)));
    plan.seed = seed;
    for (int job = 0; job < 8; ++job) {
      const auto tenant = "t" + std::to_string(random.below(plan.frameworks.size()));
      add_rigid(plan, tenant, 1 + static_cast<int>(random.below(10)),
                seconds(5 + static_cast<int>(random.below(20))));
    }
    const auto result = run(plan);
    all_are_done_whole(result);
    if (HasFailure()) return;
  }
}

TEST(RigidJobs, LargerThanTheClusterAreRefusedBeforeTheyRun) {
  auto plan = tenants_on(3, 1);
  add_rigid(plan, "t0", 4, seconds(1));
  EXPECT_EQ(study::check_plan(plan).error().message,
            "job job-0 is rigid and has 4 maps, but all nodes together have room for 3");
}

TEST(RigidJobs, WhoseOffersAreTakenBackBeforeTheyAreLetGoAreRefusedBeforeTheyRun) {
  auto plan = tenants_on(4, 1);
  add_rigid(plan, "t0", 4, seconds(1));
  plan.frameworks[0].gather_for = plan.allocator.offer_timeout;
  EXPECT_EQ(study::check_plan(plan).error().message,
            "job job-0 is rigid, but offers are taken back (offer_timeout) before t0 gives up gathering them "
            "(gather_for)");
}

}  // namespace
}  // namespace proffer::sim
