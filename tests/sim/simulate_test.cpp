// The shipped machines on a virtual clock.
#include <algorithm>

#include "proffer/study/trace_readers.hpp"
#include "small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;
using testing::DoubleNear;
using testing::HasSubstr;

constexpr double kExact = 1e-5;  // times are whole microseconds

double response(const study::RunResult& result, std::size_t job = 0) {
  return result.jobs.at(job).finished.value_or(-1) - result.jobs.at(job).submitted;
}

/// A trace of Rumen's with one job, of a map whose data were on n0 and one of which nothing is told.
study::Workload half_placed() {
  const std::string attempts =
      R"("attempts": [{"result": "SUCCESS", "startTime": 0, "finishTime": 5000, "hdfsBytesRead": 100000000}])";
  const std::string text =
      R"({"jobID": "a", "submitTime": 0, "reduceTasks": [], "otherTasks": [], "mapTasks": [
      {)" +
      attempts + R"(, "preferredLocations": [{"layers": ["r0", "n0"]}]},
      {)" +
      attempts + R"(, "preferredLocations": []}]})";
  auto read = study::parse_rumen_trace({text, "trace", {}, ""}, {});
  EXPECT_TRUE(read) << read.error().message;
  read->workload.jobs.at(0).framework = "mr";
  return std::move(read->workload);
}

TEST(Simulation, OfMapsWithoutRecordedPlacesLetsThemPreferNothing) {
  auto plan = plan_of(4, 1);
  plan.workload = half_placed();
  const auto job = run(plan).jobs.at(0);
  EXPECT_EQ(job.node_local + job.rack_local + job.other_local, 1u);
}

// ---- it is deterministic ----

TEST(Simulation, OfOneSeedGivesOneDigest) {
  EXPECT_EQ(run(busy_plan(1)).digest, run(busy_plan(1)).digest);
  EXPECT_NE(run(busy_plan(1)).digest, run(busy_plan(2)).digest);
}

TEST(Simulation, GivesTheSameDigestThroughTheCodec) {
  SimulationOptions codec;
  codec.codec = true;
  EXPECT_EQ(run(busy_plan(3)).digest, run(busy_plan(3), codec).digest);
}

TEST(Simulation, KeepsAllInvariantsAfterEveryEvent) {
  SimulationOptions checked;
  checked.check_every = 1;
  EXPECT_EQ(run(busy_plan(4), checked).digest, run(busy_plan(4)).digest);
}

TEST(Simulation, EndsEveryJobWhateverThePolicy) {
  for (const auto* policy : {"greedy", "skip,node_skips=5", "wait,node_wait=2s,rack_wait=2s"}) {
    const auto result = run(busy_plan(5, policy));
    EXPECT_EQ(result.measures.at("jobs.finished"), 12) << policy;
    EXPECT_EQ(result.measures.at("jobs.unfinished"), 0) << policy;
  }
}

TEST(Simulation, HoldsWithALatencyOfMessages) {
  auto plan = busy_plan(6);
  plan.latency = std::chrono::milliseconds(3);
  EXPECT_EQ(run(plan).measures.at("jobs.finished"), 12);
}

// ---- time ----

TEST(TaskTime, OfALocalMapIsStartUpAndCompute) {
  auto plan = plan_of(2, 1);
  add_job(plan, {{"n0"}, {"n1"}}, seconds(10));
  EXPECT_THAT(response(run(plan)), DoubleNear(13, kExact));
}

TEST(TaskTime, OfALocalMapIsReadingWhenThatTakesLonger) {
  auto plan = plan_of(1, 1);
  plan.cost.disk_rate = 5'000'000;
  add_job(plan, {{"n0"}}, seconds(10));
  EXPECT_THAT(response(run(plan)), DoubleNear(3 + 20, kExact));
}

TEST(TaskTime, OfRemoteMapsSharesTheNodesRemoteRate) {
  auto plan = plan_of(2, 2);
  plan.cost.remote_rate = 10'000'000;
  plan.nodes[1].slots = {{Kind("reduce"), 1}};  // the data lies where no map can run
  add_job(plan, {{"n1"}, {"n1"}}, seconds(1));
  EXPECT_THAT(response(run(plan)), DoubleNear(3 + 20, kExact));
}

TEST(TaskTime, AcrossRacksIsHeldUpByTheUplink) {
  auto plan = plan_of(2, 1, 2);
  plan.cost.rack_uplink_rate = 4'000'000;
  plan.nodes[1].slots = {{Kind("reduce"), 1}};
  add_job(plan, {{"n1"}}, seconds(1));
  EXPECT_THAT(response(run(plan)), DoubleNear(3 + 25, kExact));
}

TEST(TaskTime, WithPenaltiesIsTheFactorOfItsLevel) {
  auto plan = plan_of(3, 1, 2);
  plan.cost.reading = study::CostModel::Reading::penalty;
  plan.cost.rack_factor_milli = 1500;
  plan.cost.any_factor_milli = 2000;
  plan.nodes[2].slots = {{Kind("reduce"), 1}};  // n0 and n2 are in one rack
  add_job(plan, {{"n2"}}, seconds(10));
  plan.nodes[1].slots = {{Kind("reduce"), 1}};
  EXPECT_THAT(response(run(plan)), DoubleNear(3 + 15, kExact));
}

TEST(TaskTime, OfReducesComesAfterTheMapsAndTheirShuffle) {
  auto plan = plan_of(2, 1);
  plan.cost.remote_rate = 10'000'000;
  auto& job = add_job(plan, {{"n0"}, {"n1"}}, seconds(10));
  for (auto& map : job.maps) map.output_bytes = 200'000'000;
  job.reduces = {{seconds(5), 0}};
  // 200 MB of each map; the reduce's own node serves the one at the disk's 400 MB/s, the other comes at 10
  // MB/s.
  EXPECT_THAT(response(run(plan)), DoubleNear(13 + 3 + 20 + 5, kExact));
}

TEST(TaskTime, CountsSetUpAndCleanUpToTheJob) {
  auto plan = plan_of(1, 1);
  auto& job = add_job(plan, {{"n0"}}, seconds(10));
  job.setup = seconds(7);
  job.cleanup = seconds(8);
  EXPECT_THAT(response(run(plan)), DoubleNear(7 + 13 + 8, kExact));
}

TEST(SerialJobs, FollowTheEndOfTheirPredecessor) {
  auto plan = plan_of(1, 1);
  add_job(plan, {{"n0"}}, seconds(10));
  auto& second = add_job(plan, {{"n0"}}, seconds(10));
  second.after = "job-1";
  second.submit = seconds(2);
  const auto result = run(plan);
  EXPECT_THAT(result.jobs[1].submitted, DoubleNear(15, kExact));
  EXPECT_THAT(response(result, 1), DoubleNear(13, kExact));
}

TEST(SlowNode, StretchesWhatBeginsToComputeMeanwhile) {
  auto plan = plan_of(1, 1);
  add_job(plan, {{"n0"}}, seconds(10));
  auto& later = add_job(plan, {{"n0"}}, seconds(10));
  later.submit = seconds(100);
  plan.faults.push_back({Duration::zero(), study::PlanFault::What::slow_node, "n0", seconds(50), 2500});
  const auto result = run(plan);
  EXPECT_THAT(response(result, 0), DoubleNear(3 + 25, kExact));
  EXPECT_THAT(response(result, 1), DoubleNear(13, kExact));
}

TEST(KindsOfNodes, ComputeAndReadAtTheirOwnSpeed) {
  auto plan = plan_of(2, 1);
  plan.nodes[0].speed_milli = 500;
  plan.nodes[1].disk_rate = 5'000'000;
  add_job(plan, {{"n0"}}, seconds(10));
  add_job(plan, {{"n1"}}, seconds(10)).submit = seconds(100);
  const auto result = run(plan);
  EXPECT_THAT(response(result, 0), DoubleNear(3 + 20, kExact)) << "computes at half the speed";
  EXPECT_THAT(response(result, 1), DoubleNear(3 + 20, kExact)) << "reads 100 MB at 5 MB/s";
}

TEST(KindsOfNodes, SendNoFasterThanTheirCards) {
  auto plan = plan_of(2, 1);
  plan.nodes[0].slots = {{Kind("reduce"), 1}};
  plan.nodes[0].nic_rate = 4'000'000;
  add_job(plan, {{"n0"}}, seconds(10));
  EXPECT_THAT(response(run(plan)), DoubleNear(3 + 25, kExact));
}

// ---- who runs where ----

TEST(Locality, OfAnIdleClusterIsPerfectAtOnce) {
  auto plan = plan_of(6, 1);
  plan.frameworks[0].policy = parse_policy("wait,node_wait=5s,rack_wait=5s").value();
  add_job(plan, {{"n3"}, {"n5"}}, seconds(10));
  const auto result = run(plan);
  EXPECT_EQ(result.measures.at("node_local"), 1);
  EXPECT_THAT(response(result), DoubleNear(13, kExact));
}

/// SPARK-18886: 20 nodes of one slot, 400 tasks of 1 s that all prefer one node; how long that takes.
double hot_node(const std::string& policy) {
  auto plan = plan_of(20, 1);
  plan.cost.start_up = Duration::zero();
  plan.frameworks[0].policy = parse_policy(policy).value();
  add_job(plan, std::vector<std::vector<std::string>>(400, {"n7"}), seconds(1), 1);
  return response(run(plan));
}

TEST(HotNode, WithTheRuleOfThePaperTheRestOfTheClusterStandsIdle) {
  EXPECT_GT(hot_node("wait,node_wait=3s,rack_wait=0s,reset=on-launch"), 390);
}

TEST(HotNode, WithTheUsualRuleTheClusterIsUsedAfterOneWait) {
  EXPECT_LE(hot_node("wait,node_wait=3s,rack_wait=0s"), 3 + 400 / 20 + 1);
  EXPECT_LE(hot_node("auto"), 3 + 400 / 20 + 1);
  EXPECT_LE(hot_node("wait,node_wait=3s,rack_wait=0s,work_conserving=true"), 400 / 20 + 1);
}

TEST(WorkConserving, FrameworksUseSlotsThatOthersCeasedToWant) {
  for (const auto* policy : {"wait,node_wait=600s,rack_wait=0s,work_conserving=true",
                             "skip,node_skips=1000,rack_skips=0,work_conserving=true"}) {
    auto plan = plan_of(3, 1);
    plan.frameworks[0].policy = parse_policy(policy).value();
    plan.frameworks.push_back(plan.frameworks[0]);
    plan.frameworks[1].name = "other";
    plan.cost.start_up = Duration::zero();
    add_job(plan, std::vector<std::vector<std::string>>(30, {"n0"}), seconds(10), 1);
    add_job(plan, {{"n1"}, {"n1"}}, seconds(10), 1).framework = "other";
    EXPECT_LE(response(run(plan), 0), 130) << policy;
  }
}

TEST(Hoarder, DelaysItselfAndNobodyElseForLong) {
  auto plan = busy_plan(3, "greedy");
  plan.frameworks[0].policy = parse_policy("hoard,hold=2s").value();
  const auto result = run(plan);
  EXPECT_EQ(result.measures.at("jobs.finished"), 12);
}

TEST(StaticPartition, KeepsFrameworksOnTheirNodes) {
  auto plan = busy_plan(8, "greedy");
  for (int f = 0; f < 3; ++f) {
    AllocatorPool pool;
    pool.share.name = plan.frameworks[static_cast<std::size_t>(f)].pool = "p" + std::to_string(f);
    for (int n = 0; n < 4; ++n) pool.agents.insert("n" + std::to_string(4 * f + n));
    plan.allocator.pools.push_back(pool);
  }
  for (const auto& task : run(plan).tasks) {
    const auto node = std::stoi(task.agent.substr(1));
    EXPECT_EQ("f" + std::to_string(node / 4), task.framework) << task.agent;
  }
}

TEST(PrivateAgents, GoFromFrameworksThatAreDoneToThoseThatWaitForSome) {
  auto plan = plan_of(4, 1);
  for (const std::string name : {"a", "b", "c"}) {
    plan.frameworks.push_back({name, name, "", parse_policy("greedy").value(), 0});
    AllocatorPool pool;
    pool.share.name = name;
    pool.private_agents = 2;
    pool.return_after = seconds(5);
    plan.allocator.pools.push_back(pool);
    add_job(plan, {{"n0"}, {"n1"}, {"n2"}, {"n3"}}, seconds(10)).framework = name;
  }
  plan.frameworks.erase(plan.frameworks.begin());
  const auto result = run(plan);
  EXPECT_EQ(result.measures.at("jobs.finished"), 3);
  EXPECT_LT(result.measures.at("makespan"), 80);
}

TEST(Horizon, EndsARunWithJobsUnfinished) {
  auto plan = plan_of(1, 1);
  add_job(plan, {{"n0"}, {"n0"}}, seconds(10));
  plan.horizon = seconds(20);
  const auto result = run(plan);
  EXPECT_EQ(result.measures.at("jobs.unfinished"), 1);
  EXPECT_THAT(result.run_seconds, DoubleNear(20, kExact));
}

TEST(Shares, OfATenantThatTurnsIdleEndWithZeros) {
  auto plan = plan_of(2, 1);
  plan.frameworks.push_back({"other", "", "", {"greedy", {}}, 0});
  add_job(plan, {{"n0"}}, seconds(10));
  add_job(plan, {{"n1"}}, seconds(100)).framework = "other";
  const auto shares = run(plan).shares;
  const auto last = std::find_if(shares.rbegin(), shares.rend(),
                                 [](const auto& row) { return row.framework == "mr" && row.kind == "map"; });
  ASSERT_NE(last, shares.rend());
  EXPECT_EQ(last->running + last->demand, 0);
  EXPECT_EQ(last->fair, 0);
  EXPECT_THAT(last->time, DoubleNear(14, 1)) << "once, when it turns idle";
}

// ---- plans that contradict themselves ----

TEST(BadPlan, IsRefusedWithASentence) {
  auto plan = plan_of(1, 1);
  EXPECT_EQ(refusal(plan), "there are no jobs");
  add_job(plan, {{"n9"}}, seconds(1));
  EXPECT_EQ(refusal(plan), "a block of /in/1 lies on \"n9\", and there is no such node");
  plan.workload.jobs[0].framework = "nobody";
  EXPECT_EQ(refusal(plan), "job job-1 is for the framework \"nobody\", which there is not");
}

TEST(BadPlan, WithMoreMapsThanBlocksIsRefused) {
  auto plan = plan_of(1, 1);
  auto& job = add_job(plan, {{"n0"}}, seconds(1));
  job.maps.push_back({seconds(1), 0});
  EXPECT_EQ(refusal(plan), "job job-1 has 2 maps, but /in/1 has 1 blocks");
}

TEST(BadPlan, KillsANodeThatNobodyWouldMiss) {
  auto plan = busy_plan(1);
  plan.faults.push_back({seconds(1), study::PlanFault::What::kill_node, "n0", seconds(5), 1000});
  EXPECT_THAT(refusal(plan), HasSubstr("without heartbeats nobody would miss n0"));
}

TEST(BadPlan, KillsANodeThatIsDead) {
  auto plan = busy_plan(1);
  for (const auto at : {seconds(30), seconds(10), seconds(15)}) {
    plan.faults.push_back({at, study::PlanFault::What::kill_node, "n0", seconds(6), 1000});
  }
  EXPECT_THAT(refusal(plan), HasSubstr("faults kill n0 while it is dead"));
}

TEST(RefusedFramework, EndsTheRunWithTheReason) {
  auto plan = plan_of(1, 1);
  add_job(plan, {{"n0"}}, seconds(1));
  plan.frameworks[0].pool = "nowhere";
  EXPECT_THAT(refusal(plan), AllOf(HasSubstr("framework mr was refused"), HasSubstr("nowhere")));
}

TEST(EventLimit, GivesUpWithASentence) {
  const auto plan = busy_plan(1);
  study::Recorder recorder(plan, kStart);
  SimulationOptions options;
  options.event_limit = 100;
  const auto simulated = simulate(plan, recorder, options);
  ASSERT_FALSE(simulated);
  EXPECT_THAT(simulated.error().message, HasSubstr("100 events"));
}

}  // namespace
}  // namespace proffer::sim
