// Graphs of jobs: stages that read what others have written.
#include <gmock/gmock.h>

#include <algorithm>

#include "proffer/sim/alone.hpp"
#include "tests/sim/small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;

study::Stage stage(const std::string& name, std::vector<std::uint32_t> after, std::uint32_t maps,
                   std::uint32_t reduces) {
  study::Stage stage;
  stage.name = name;
  stage.after = std::move(after);
  stage.maps = maps;
  stage.reduces = reduces;
  return stage;
}

/// A graph on six nodes of three racks whose second stage has four maps: two for each reduce of the first.
study::Plan graph_plan(std::uint32_t replication, const std::string& policy) {
  auto plan = plan_of(6, 1, 3);
  plan.replication = replication;
  plan.frameworks[0].policy = parse_policy(policy).value();
  study::GenerateSpec spec;
  spec.bins = {{"etl", 1, 0, 1, {}, {}, {stage("scan", {}, 4, 2), stage("join", {0}, 0, 1)}}};
  spec.map_output = 0.5;
  plan.workload = study::generate(spec, 1);
  for (auto& job : plan.workload.jobs) job.framework = "mr";
  return plan;
}

std::vector<std::string> agents_of(const study::RunResult& result, const std::string& job,
                                   const std::string& kind) {
  std::vector<std::string> agents;
  for (const auto& task : result.tasks) {
    if (task.job == job && task.kind == kind) agents.push_back(task.agent);
  }
  std::ranges::sort(agents);
  return agents;
}

TEST(Graph, AStageBeginsWhenTheOneBeforeItHasEnded) {
  const auto result = run_checked(graph_plan(2, "greedy"));
  ASSERT_EQ(result.jobs.size(), 2u);
  EXPECT_TRUE(result.jobs[1].ok);
  EXPECT_GE(*result.jobs[1].started, *result.jobs[0].finished);
  EXPECT_EQ(result.jobs[1].submitted, *result.jobs[0].finished);
}

TEST(Graph, AllStagesAreDueWithTheGraph) {
  auto plan = graph_plan(2, "greedy");
  for (auto& job : plan.workload.jobs) job.deadline = seconds(5);
  const auto late = run_checked(plan);
  EXPECT_EQ(late.jobs[0].reference.due, 5.0);
  EXPECT_EQ(late.jobs[1].reference.due, 5.0) << "not from the end of the stage before it";
  const auto tardiness = *late.jobs[1].finished - 5.0;
  EXPECT_GT(tardiness, 0);
  EXPECT_EQ(late.measures.at("tardiness_max"), tardiness);
  EXPECT_EQ(late.measures.at("deadlines_missed"), *late.jobs[0].finished > 5.0 ? 1 : 0.5);
}

TEST(Graph, MapsThatWaitReadWhereTheFormerStageWrote) {
  const auto result = run_checked(graph_plan(1, "wait,node_wait=1h,rack_wait=1h"));
  const auto writers = agents_of(result, "job-001-scan", "reduce");
  ASSERT_EQ(writers.size(), 2u);
  EXPECT_THAT(agents_of(result, "job-001-join", "map"),
              ElementsAre(writers[0], writers[0], writers[1], writers[1]));
}

TEST(Graph, WritingReplicasTakesTheTimeOfTheirWay) {
  const auto response = [](std::uint32_t replication) {
    return run(graph_plan(replication, "greedy")).measures.at("response_max.etl-scan");
  };
  // 256 MB of each reduce, over a network card of 125 MB/s.
  EXPECT_NEAR(response(2) - response(1), 2.05, 0.5);
}

TEST(Graph, AWriterThatDiesIsReplaced) {
  auto plan = graph_plan(2, "greedy");
  plan.heartbeat = plan.allocator.heartbeat = seconds(1);
  plan.cost.nic_rate = 10'000'000;  // replicas are on their way for long
  const auto whole = run_checked(plan);
  const auto writer = agents_of(whole, "job-001-scan", "reduce").front();
  const auto& scan = whole.jobs[0];
  plan.faults.push_back({Duration(static_cast<std::int64_t>((*scan.finished - 5) * 1e6)),
                         study::PlanFault::What::kill_node, writer, seconds(600), 1000});
  const auto result = run_checked(plan);
  EXPECT_TRUE(result.jobs[1].ok);
  EXPECT_GT(*result.jobs[0].finished, *scan.finished);
}

TEST(Graph, ACatalogThatStartsAgainHasItsFilesWrittenOnceMore) {
  auto plan = graph_plan(2, "greedy");
  plan.heartbeat = plan.allocator.heartbeat = seconds(1);
  plan.cost.nic_rate = 10'000'000;
  const auto ends = *run_checked(plan).jobs[0].finished;
  plan.faults.push_back({Duration(static_cast<std::int64_t>((ends - 5) * 1e6)),
                         study::PlanFault::What::stop_catalog, "", seconds(3), 1000});
  const auto result = run_checked(plan);
  EXPECT_TRUE(result.jobs[1].ok);
  EXPECT_GT(*result.jobs[0].finished, ends);
}

TEST(Graph, AStageIsComparedWithItselfAloneReadingFromTheStore) {
  const auto plan = graph_plan(2, "greedy");
  study::Recorder recorder(plan, kStart);
  const auto simulated = simulate(plan, recorder);
  ASSERT_TRUE(simulated);
  const auto alone = responses_alone(plan);
  ASSERT_TRUE(alone) << alone.error().message;
  EXPECT_GT(alone->at("job-001-join"), 0);
}

TEST(Graph, AStageMayOnlyReadWhatAnotherWritesBeforeIt) {
  auto plan = graph_plan(2, "greedy");
  plan.workload.jobs[0].stage->block_bytes = 0;
  EXPECT_EQ(refusal(plan), "job job-001-join reads what job-001-scan writes, which writes nothing");
  std::swap(plan.workload.jobs[0], plan.workload.jobs[1]);
  EXPECT_EQ(
      refusal(plan),
      "job job-001-join reads what \"job-001-scan\" writes, which is no stage of its framework before it");
}

}  // namespace
}  // namespace proffer::sim
