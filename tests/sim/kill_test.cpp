// Nodes that die, and come back.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/sim/small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;

/// Returns the plan with heartbeats, by which a node is missed.
study::Plan mortal(study::Plan plan) {
  plan.heartbeat = seconds(1);
  return plan;
}

void kill(study::Plan& plan, const std::string& node, Duration at, Duration lasting) {
  plan.faults.push_back({at, study::PlanFault::What::kill_node, node, lasting, 1000});
}

std::int64_t tasks_on(const study::RunResult& result, const std::string& agent, const std::string& state) {
  return std::count_if(result.tasks.begin(), result.tasks.end(),
                       [&](const auto& task) { return task.agent == agent && task.state == state; });
}

TEST(KilledNode, IsReplacedByOthersThatHoldItsBlocks) {
  auto plan = mortal(plan_of(4, 1));
  plan.hot_blocks.restore_after = seconds(20);
  add_job(plan, {{"n0", "n1"}, {"n1", "n0"}}, seconds(20)).submit = seconds(400);
  kill(plan, "n0", seconds(10), seconds(1000));
  kill(plan, "n1", seconds(200), seconds(1000));
  const auto result = run_checked(plan);
  EXPECT_TRUE(result.jobs.at(0).ok) << "both that held its input at first are gone";
}

TEST(KilledNode, LosesItsTasksToOthers) {
  auto plan = mortal(plan_of(3, 1));
  add_job(plan, {{"n0", "n1"}, {"n1", "n2"}, {"n2", "n0"}}, seconds(20));
  kill(plan, "n0", seconds(10), seconds(500));
  const auto result = run_checked(plan);
  EXPECT_TRUE(result.jobs[0].ok);
  EXPECT_EQ(tasks_on(result, "n0", "FINISHED"), 0);
  EXPECT_EQ(result.tasks.size(), 4u) << "one of them was placed twice";
  EXPECT_LT(*result.jobs[0].finished, 500);
}

TEST(KilledNode, RunsTasksAgainOnceItIsBack) {
  auto plan = mortal(plan_of(1, 1));
  add_job(plan, {{"n0"}}, seconds(20));
  kill(plan, "n0", seconds(10), seconds(60));
  const auto result = run_checked(plan);
  EXPECT_TRUE(result.jobs[0].ok);
  EXPECT_EQ(tasks_on(result, "n0", "FINISHED"), 1);
  EXPECT_GT(*result.jobs[0].finished, 10 + 60 + 20);
}

TEST(KilledNode, IsReadFromNoLonger) {
  auto plan = mortal(plan_of(3, 1));
  plan.nodes[0].slots = {{Kind("reduce"), 1}};
  plan.nodes[1].slots = {{Kind("reduce"), 1}};
  plan.cost.remote_rate = 1'000'000;  // 100 s a block
  add_job(plan, {{"n0", "n1"}}, seconds(1));
  kill(plan, "n0", seconds(20), seconds(1000));
  const auto result = run_checked(plan);
  EXPECT_TRUE(result.jobs[0].ok);
  EXPECT_EQ(result.tasks.size(), 1u) << "it goes on with the other replica";
  EXPECT_GE(*result.jobs[0].finished, 20 + 100);
  EXPECT_LT(*result.jobs[0].finished, 200);
}

TEST(KilledNode, TakesItsMapOutputsAlong) {
  auto plan = mortal(plan_of(2, 1));
  auto& job = add_job(plan, {{"n0", "n1"}, {"n1", "n0"}}, seconds(10));
  for (auto& map : job.maps) map.output_bytes = 100'000'000;
  job.reduces = {{seconds(60), 0}, {seconds(60), 0}};
  kill(plan, "n0", seconds(30), seconds(300));
  const auto result = run_checked(plan);
  EXPECT_TRUE(result.jobs[0].ok);
  EXPECT_GT(result.tasks.size(), 4u);
  EXPECT_LT(*result.jobs[0].finished, 330) << "the other node does it all";
}

/// Two nodes hold everything. One is away when the job lists its input, and comes back before the other dies.
TEST(KilledNode, ThatIsBackIsReadByAJobThatBeganWithoutIt) {
  auto plan = mortal(plan_of(2, 1));
  add_job(plan, std::vector<std::vector<std::string>>(30, {"n0", "n1"}), seconds(3)).submit = seconds(10);
  kill(plan, "n1", seconds(5), seconds(20));
  kill(plan, "n0", seconds(60), seconds(5000));
  const auto result = run_checked(plan);
  EXPECT_TRUE(result.jobs.at(0).ok) << "all of its data are on the node it runs on";
  for (const auto& task : result.tasks) {
    // At 25 its slot is offered, but its blocks are not yet told of.
    if (task.agent == "n1" && task.placed > 25) {
      EXPECT_EQ(task.locality, Locality::node) << task.placed;
    }
  }
  EXPECT_GT(tasks_on(result, "n1", "FINISHED"), 15);
}

TEST(KilledNode, IsNotSaidToRunAnythingOnceItIsMissed) {
  auto plan = mortal(plan_of(4, 2));
  plan.cost.remote_rate = 0;
  std::vector<std::vector<std::string>> blocks(8, {"n0", "n1", "n2", "n3"});
  add_job(plan, std::move(blocks), seconds(60));
  for (const auto* node : {"n1", "n2", "n3"}) kill(plan, node, seconds(20), seconds(5000));
  const auto result = run_checked(plan);
  EXPECT_LE(result.measures.at("utilisation.map"), 1);
  std::map<double, std::int64_t> running;
  for (const auto& row : result.shares) {
    if (row.kind == "map") running[row.time] += row.running;
  }
  for (const auto& [time, slots] : running) EXPECT_LE(slots, time < 50 ? 8 : 2) << time;
}

TEST(KilledNode, AfterNodeLeavesEveryJobDoneAndTheSameDigest) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    auto plan = mortal(busy_plan(seed));
    plan.latency = std::chrono::milliseconds(5);
    for (int n = 0; n < 6; ++n) kill(plan, "n" + std::to_string(2 * n), seconds(5 + 9 * n), seconds(8));
    const auto first = run_checked(plan);
    EXPECT_EQ(first.measures.at("jobs.unfinished"), 0) << seed;
    EXPECT_GT(first.measures.at("tasks_unfinished"), 0) << seed;
    EXPECT_EQ(first.digest, run(plan).digest) << seed;
  }
}

}  // namespace
}  // namespace proffer::sim
