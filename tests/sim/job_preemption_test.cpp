// Pools of jobs within one framework, where one has all slots and another is promised some.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/sim/small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;

/// Eight slots. From 0 s a job of long maps has them all; from 5 s another wants four, which its pool is
/// promised, with a patience of 10 s.
study::Plan hog_and_owed(PreemptionMode mode) {
  auto plan = plan_of(4, 2);
  PoolSpec owed{"owed", 1000, {{Kind("map"), 4}}};
  owed.min_share_timeout = seconds(10);
  plan.frameworks[0].sharing.pools = {{"hog", 1000, {}}, owed};
  plan.frameworks[0].sharing.preemption.mode = mode;
  const std::vector<std::vector<std::string>> eight(8, {"n0", "n1"});
  add_job(plan, eight, seconds(300)).pool = "hog";
  auto& job = add_job(plan, {{"n2"}, {"n3"}, {"n2"}, {"n3"}}, seconds(20));
  job.pool = "owed";
  job.submit = seconds(5);
  return plan;
}

/// Returns when the owed job has launched its fourth map, in seconds.
double at_min_share(const study::RunResult& result) {
  std::vector<double> placed;
  for (const auto& task : result.tasks) {
    if (task.job == "job-2") placed.push_back(task.placed);
  }
  std::sort(placed.begin(), placed.end());
  return placed.at(3);
}

study::RunResult run_it(PreemptionMode mode) {
  SimulationOptions options;
  options.check_every = 1;
  return run(hog_and_owed(mode), options);
}

TEST(JobPreemption, BringsAPoolToItsMinShareWithinItsTimeoutAndATaskStart) {
  const auto result = run_it(PreemptionMode::on);
  EXPECT_GE(at_min_share(result), 15);
  EXPECT_LT(at_min_share(result), 15 + 3) << "a task takes 3 s to start";
  const auto killed = std::count_if(result.tasks.begin(), result.tasks.end(),
                                    [](const auto& task) { return task.state == "KILLED"; });
  EXPECT_EQ(killed, 4) << "no more than it lacks";
  EXPECT_TRUE(result.jobs[0].ok);
}

/// The pool's maps take long, and while they run no node takes more than one of its reduces.
TEST(JobPreemption, EndsNothingAnewForAPoolThatKeepsItsReducesFromTheSlots) {
  auto plan = plan_of(4, 2);
  for (auto& node : plan.nodes) node.slots.set(Kind("reduce"), 3);
  auto& framework = plan.frameworks[0];
  framework.sharing.pools = {{"p", 1000, {}}, {"q", 1000, {}}};
  framework.sharing.preemption = {PreemptionMode::on, seconds(20)};
  framework.slow_start_milli = 50;
  framework.max_copying = 1;
  for (const auto* pool : {"q", "p"}) {
    const bool first = *pool == 'q';
    auto& job = add_job(plan, std::vector<std::vector<std::string>>(first ? 2 : 100, {"n0"}),
                        seconds(first ? 1 : 20));
    job.pool = pool;
    job.submit = seconds(first ? 0 : 30);
    job.reduces.assign(12, {seconds(first ? 300 : 30), 0});
  }
  const auto result = run(plan);
  const auto killed = std::count_if(result.tasks.begin(), result.tasks.end(),
                                    [](const auto& task) { return task.state == "KILLED"; });
  EXPECT_LE(killed, 6) << "what it was owed once";
}

TEST(JobPreemption, OffThePoolWaitsForTasksToEnd) {
  for (const auto mode : {PreemptionMode::off, PreemptionMode::log}) {
    const auto result = run_it(mode);
    EXPECT_GT(at_min_share(result), 300);
    EXPECT_EQ(result.tasks.size(), 12u);
  }
}

TEST(JobPreemption, IsTheSameEachTime) {
  const auto plan = hog_and_owed(PreemptionMode::on);
  EXPECT_EQ(run(plan).digest, run(plan).digest);
}

}  // namespace
}  // namespace proffer::sim
