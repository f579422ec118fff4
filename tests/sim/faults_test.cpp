// The network and the servers fail as well.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/sim/small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using Outage = study::PlanFault::What;

constexpr Duration kLong = seconds(5000);

/// Nodes with one map slot each, and heartbeats.
study::Plan watched(int nodes, int racks = 1) {
  auto plan = plan_of(nodes, 1, racks);
  plan.heartbeat = seconds(1);
  return plan;
}

void befall(study::Plan& plan, Outage what, const std::string& target, Duration at, Duration lasting) {
  plan.faults.push_back({at, what, target, lasting});
}

double end_of(const study::RunResult& result) { return result.jobs.at(0).finished.value_or(-1); }

TEST(CutNode, GoesOnAndTellsHowItsTasksEndedWhenItIsBack) {
  auto plan = watched(2);
  add_job(plan, {{"n0"}, {"n1"}}, seconds(15));
  befall(plan, Outage::cut_node, "n0", seconds(10), seconds(20));
  const auto result = run_checked(plan);
  EXPECT_TRUE(result.jobs.at(0).ok);
  EXPECT_EQ(result.tasks.size(), 2u) << "nothing runs twice";
  EXPECT_GT(end_of(result), 30) << "its task ended at 18, of which nobody could hear before 30";
  EXPECT_LT(end_of(result), 45);
}

TEST(CutNode, IsMissedBySilenceAndNotAtOnce) {
  const auto end_with = [](Outage what) {
    auto plan = watched(2);
    add_job(plan, {{"n0", "n1"}, {"n1", "n0"}}, seconds(30));
    befall(plan, what, "n0", seconds(10), kLong);
    return end_of(run_checked(plan));
  };
  const auto killed = end_with(Outage::kill_node);
  EXPECT_GT(killed, 0);
  EXPECT_LT(killed, 80);
  const AllocatorConfig usual;
  const auto unreachable = std::chrono::duration<double>(usual.unreachable_after).count();
  EXPECT_GT(end_with(Outage::cut_node), 10 + unreachable + 30) << "only then its task is begun elsewhere";
}

TEST(CutNode, IsNotReadFrom) {
  auto plan = watched(3);
  plan.nodes[0].slots = plan.nodes[1].slots = {{Kind("reduce"), 1}};
  plan.cost.remote_rate = 1'000'000;  // 100 s a block
  add_job(plan, {{"n0", "n1"}}, seconds(1));
  befall(plan, Outage::cut_node, "n0", seconds(20), kLong);
  const auto result = run_checked(plan);
  EXPECT_TRUE(result.jobs.at(0).ok);
  EXPECT_EQ(result.tasks.size(), 1u) << "it goes on with the other replica";
  EXPECT_GE(end_of(result), 20 + 100);
}

/// n0 and n1 hold the block of all, n3 is in the rack of n0.
TEST(CutRack, IsReadFromWithin) {
  auto plan = watched(6, 3);
  plan.nodes[0].slots = plan.nodes[1].slots = plan.nodes[4].slots = {{Kind("reduce"), 1}};
  plan.cost.remote_rate = 5'000'000;  // 20 s a block
  add_job(plan, {{"n0", "n1"}, {"n0", "n1"}, {"n0", "n1"}}, seconds(1));
  befall(plan, Outage::cut_rack, "r0", seconds(10), seconds(20));
  const auto result = run_checked(plan);
  EXPECT_TRUE(result.jobs.at(0).ok);
  ASSERT_EQ(result.tasks.size(), 3u) << "n3 goes on with n0, the others with n1";
  for (const auto& task : result.tasks) EXPECT_EQ(task.state, "FINISHED") << task.agent;
}

/// A few jobs of several frameworks, while that server is away.
study::RunResult busy_without(Outage what) {
  auto plan = busy_plan(5);
  plan.heartbeat = seconds(1);
  for (int n = 0; n < 4; ++n) befall(plan, what, "", seconds(4 + 15 * n), seconds(3 + n));
  const auto result = run_checked(plan);
  EXPECT_EQ(result.digest, run(plan).digest);
  return result;
}

TEST(StoppedAllocator, ComesBackToTheTasksThatRanOn) {
  const auto result = busy_without(Outage::stop_allocator);
  EXPECT_EQ(result.measures.at("jobs.finished"), static_cast<double>(result.jobs.size()));
  EXPECT_LE(result.measures.at("utilisation.map"), 1);
  EXPECT_EQ(result.measures.at("killed_work"), 0);
}

TEST(StoppedCatalog, ComesBackToTheBlocksThatAgentsHold) {
  const auto result = busy_without(Outage::stop_catalog);
  EXPECT_EQ(result.measures.at("jobs.finished"), static_cast<double>(result.jobs.size()));
}

TEST(StoppedServer, IsNotStoppedWhileItIsDown) {
  auto plan = busy_plan(1);
  plan.heartbeat = seconds(1);
  for (const int at : {5, 6}) befall(plan, Outage::stop_catalog, "catalog", seconds(at), seconds(4));
  EXPECT_THAT(refusal(plan), HasSubstr("faults kill catalog while it is dead"));
}

TEST(Faults, NeedHeartbeats) {
  for (const auto what : {Outage::kill_node, Outage::cut_node, Outage::stop_allocator}) {
    auto plan = plan_of(2, 1);
    add_job(plan, {{"n0"}}, seconds(1));
    befall(plan, what, "n0", seconds(1), seconds(1));
    EXPECT_THAT(refusal(plan), HasSubstr("without heartbeats nobody would miss n0"));
  }
}

/// All kinds of faults, drawn from the seed.
void befall_everything(study::Plan& plan, std::uint64_t seed) {
  Random dice(seed);
  const auto time = [&](int most) { return std::chrono::milliseconds(1 + dice.below(most * 1000)); };
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const auto& name = plan.nodes[n].name;
    if (n % 3 == 0) befall(plan, Outage::kill_node, name, time(120), time(60));
    if (n % 4 == 1) befall(plan, Outage::cut_node, name, time(120), time(60));
  }
  befall(plan, Outage::cut_rack, "r1", time(120), time(60));
  befall(plan, Outage::stop_allocator, "allocator", time(60), time(20));
  befall(plan, Outage::stop_catalog, "catalog", time(60), time(20));
}

/// Jobs of several frameworks, of which those with even seeds make backups; some nodes are slow, and later
/// others.
study::Plan troubled_plan(std::uint64_t seed) {
  auto plan = busy_plan(seed);
  plan.heartbeat = seconds(1);
  plan.horizon = seconds(3000);
  befall_everything(plan, seed);
  for (std::size_t n = 0; n < plan.nodes.size(); n += 4) {
    plan.faults.push_back({seconds(n), Outage::slow_node, plan.nodes[n].name, seconds(100), 8000});
  }
  for (auto& framework : plan.frameworks) framework.speculation = {seed % 2 == 0, 500, 1500, seconds(2)};
  return plan;
}

/// The maps of a job that finished in some attempt, each once.
std::size_t maps_made(const study::RunResult& result, const std::string& job) {
  std::set<std::string> made;
  for (const auto& task : result.tasks) {
    if (task.job != job || task.kind != "map" || task.state != "FINISHED") continue;
    made.insert(task.task.substr(0, task.task.rfind('-')));
  }
  return made.size();
}

TEST(Faults, OfAllKindsNeverMakeMoreRunThanThereIs) {
  double backups = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto plan = troubled_plan(seed);
    study::Recorder recorder(plan, kStart, {true, true});
    SimulationOptions options;
    options.check_every = 10;  // after each event it takes minutes under the sanitizers
    const auto simulated = simulate(plan, recorder, options);
    ASSERT_TRUE(simulated) << simulated.error().message;
    const auto result = recorder.finish(simulated->duration);
    EXPECT_LE(result.measures.at("utilisation.map"), 1) << seed;
    EXPECT_EQ(result.measures.at("jobs.unfinished"), 0) << seed;
    for (std::size_t job = 0; job < result.jobs.size(); ++job) {
      const auto& row = result.jobs[job];
      if (!row.ok) continue;
      EXPECT_EQ(maps_made(result, row.name), plan.workload.jobs[job].maps.size()) << seed;
    }
    if (const auto made = result.measures.find("backups.launched"); made != result.measures.end()) {
      backups += made->second;
    }
    std::map<double, std::int64_t> running;
    for (const auto& row : result.shares) {
      if (row.kind == "map") running[row.time] += row.running;
    }
    for (const auto& [at, slots] : running) EXPECT_LE(slots, 24) << seed << " at " << at;
  }
  EXPECT_GT(backups, 20) << "over all seeds";
}

}  // namespace
}  // namespace proffer::sim
