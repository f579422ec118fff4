// One file, two worlds: simulated, and by real processes.
#include <gmock/gmock.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "tests/experiment_command/live_experiment.hpp"
#include "tests/experiment_command/results.hpp"

namespace proffer {
namespace {

using testing::csv_file;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kJobs;
using testing::kTasks;
using testing::LiveExperiment;
using testing::read_file;

// How near the predictions come is a measurement of the machine; that the verdict is true of them is a test.
TEST_F(LiveExperiment, TheSimulatorIsFittedToALiveRunAndItsPredictionsAreJudged) {
  const auto ran = testing::proffer({"study", "calibrate", file_, "--seeds", "1", "--json"});
  ASSERT_TRUE(ran.exit_code == 0 || ran.exit_code == 5) << ran.err;
  const auto found = nlohmann::json::parse(ran.out);
  EXPECT_GE(found.at("local_map_s").get<double>(), 0.2);
  EXPECT_GE(found.at("start_up_s").get<double>(), 0.001) << "processes are not started in no time";
  ASSERT_EQ(found.at("predictions").size(), 4u);
  bool all_hold = true;
  for (const auto& one : found.at("predictions")) {
    const double live = one.at("live");
    const double simulated = one.at("simulated");
    const bool part = one.at("measure") == "node_local";
    EXPECT_GT(live, 0) << one;
    EXPECT_GT(simulated, 0) << one;
    EXPECT_NEAR(one.at("difference").get<double>(), part ? simulated - live : simulated / live - 1, 1e-9)
        << one;
    EXPECT_EQ(one.at("holds").get<bool>(),
              std::abs(one.at("difference").get<double>()) <= (part ? 0.03 : 0.10))
        << one;
    all_hold = all_hold && one.at("holds").get<bool>();
  }
  EXPECT_EQ(ran.exit_code, all_hold ? 0 : 5);
}

TEST_F(LiveExperiment, ACalibrationCanBeCollected) {
  const auto ran = testing::proffer({"study", "calibrate", file_, "--seeds", "1", "--rows"});
  ASSERT_TRUE(ran.exit_code == 0 || ran.exit_code == 5) << ran.err;
  const auto rows = folder_.file("calibration.json", ran.out);
  const auto page = folder_.path() + "/summary.md";
  const auto collected = testing::proffer({"experiment", "collect", rows, "--out", page});
  ASSERT_EQ(collected.exit_code, 0) << collected.err;
  EXPECT_THAT(read_file(page), HasSubstr("## calibration\n"));
  EXPECT_THAT(read_file(page), HasSubstr("T, of a node-local map (s)"));
  EXPECT_THAT(read_file(page), HasSubstr("`makespan simulated, within 10% of the live one`"));
}

int node_local(const std::string& run) {
  const auto tasks = csv_file(run + "tasks.csv").rows;
  return static_cast<int>(std::count_if(tasks.begin(), tasks.end(),
                                        [](const auto& row) { return row.find(",node,1,") != row.npos; }));
}

TEST_F(LiveExperiment, LeavesTheTablesOfASimulation) {
  const auto simulated = testing::proffer(words({"-d", folder_.path() + "/sim"}));
  ASSERT_EQ(simulated.exit_code, 0) << simulated.err;
  const auto live = testing::proffer(words({"-d", folder_.path() + "/live", "--live", "--offers"}));
  ASSERT_EQ(live.exit_code, 0) << live.err;
  for (const auto* table : {"jobs.csv", "tasks.csv", "offers.csv", "shares.csv"}) {
    EXPECT_EQ(csv_file(run_of("live") + table).header, csv_file(run_of("sim") + table).header) << table;
  }
  EXPECT_EQ(csv_file(run_of("live") + "jobs.csv").rows.size(), kJobs);
  EXPECT_EQ(csv_file(run_of("live") + "tasks.csv").rows.size(), kTasks);
  EXPECT_EQ(csv_file(run_of("sim") + "tasks.csv").rows.size(), kTasks);
  // Of sixteen maps; a third of them would be by chance.
  EXPECT_GE(node_local(run_of("live")), 3 * kJobs) << "the blocks are where the plan has them";
  EXPECT_FALSE(csv_file(run_of("live") + "offers.csv").rows.empty());
  const auto summary = read_file(run_of("live") + "summary.json");
  EXPECT_THAT(summary, HasSubstr("\"world\": \"live\""));
  EXPECT_THAT(summary, HasSubstr("\"jobs.finished\": 4"));
  EXPECT_THAT(summary, HasSubstr("\"jobs.failed\": 0"));
  EXPECT_THAT(read_file(run_of("sim") + "summary.json"), HasSubstr("\"world\": \"sim\""));
  EXPECT_THAT(live.out, HasSubstr("live: real processes on this machine, 1 s for a second"));
  EXPECT_THAT(left_behind(), IsEmpty());
}

TEST_F(LiveExperiment, TellsAScaledRunInTheTimeOfThePlan) {
  const auto ran = testing::proffer({"sim", file_, "--live", "--scale-time", "0.25", "--quiet", "--json",
                                     "--set", "workload.map_time=800ms", "--set", "cost.start_up=400ms"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"time_scale\": 0.25"));
  // Four jobs, one after the other, of at least one map of 1.2 s and one reduce of 0.5 s.
  EXPECT_GE(testing::json_number(ran.out, "/run_seconds"), 6);
  EXPECT_EQ(testing::json_number(ran.out, "/measures/jobs.finished"), kJobs);
}

TEST_F(LiveExperiment, StagesReadTheBlocksThatOthersHaveWritten) {
  const auto bins =
      "workload.bins=[{ name = \"g\", jobs = 2, stages = [{ maps = 3, reduces = 2 }, { reduces = 1 }] }]";
  const auto ran = testing::proffer(
      {"sim", file_, "--live", "--quiet", "--json", "--set", bins, "--set", "workload.arrivals=\"at-once\""});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(testing::json_number(ran.out, "/measures/jobs.finished"), 4);
  EXPECT_THAT(ran.out, HasSubstr("\"graph_response_mean\"")) << "both graphs have succeeded";
}

TEST_F(LiveExperiment, EndsAllItsProcessesAtCtrlC) {
  auto run = testing::start_proffer({"sim", file_, "--live", "--set", "workload.map_time=1h"},
                                    folder_.path() + "/log");
  // Once a task runs, everything is there.
  const auto a_task_runs = [&] {
    for (std::filesystem::recursive_directory_iterator
             entry(temporary(), std::filesystem::directory_options::skip_permission_denied),
         end;
         entry != end; ++entry) {
      if (entry->path().filename() == "work.msgpack") return true;
    }
    return false;
  };
  ASSERT_TRUE(testing::eventually(
      [&] {
        try {
          return a_task_runs();
        } catch (const std::filesystem::filesystem_error&) {
          return false;  // something went while we looked
        }
      },
      std::chrono::seconds(30)));
  EXPECT_GT(testing::processes_of(temporary()).size(), 2u);
  run.signal(SIGINT);
  const auto status = run.wait_exit(std::chrono::seconds(30));
  ASSERT_TRUE(status);
  EXPECT_EQ(WEXITSTATUS(*status), 1);
  EXPECT_THAT(read_file(folder_.path() + "/log"), HasSubstr("stopped"));
  EXPECT_THAT(left_behind(), IsEmpty());
  EXPECT_TRUE(testing::eventually([&] { return testing::processes_of(temporary()).empty(); },
                                  std::chrono::seconds(5)));
}

TEST_F(LiveExperiment, RefusesWhatItDoesNotHave) {
  EXPECT_THAT(refusal("cluster.nodes_per_rack=22"), HasSubstr("66 nodes are too many for one machine"));
  EXPECT_THAT(refusal("allocator.latency=5ms"), HasSubstr("allocator.latency is of the simulator"));
  EXPECT_THAT(refusal("cluster.faults=[{ at = \"1s\", slow = \"r1n1\", for = \"1s\", factor = 2.0 }]"),
              HasSubstr("a live run cannot make one node slow, as a fault does of r1n1"));
  EXPECT_THAT(
      refusal("cluster={ slots = { map = 1, reduce = 1 }, node = [{ name = \"a\", count = 3, speed = 0.5 "
              "}] }"),
      HasSubstr("a live run has one disk and one kind of processor for all nodes, so a-0 can have"));
  EXPECT_THAT(refusal("time_scale=0"), HasSubstr("time_scale must be a number above 0"));
  const auto scaled = testing::proffer({"sim", file_, "--scale-time", "0.5"});
  EXPECT_EQ(scaled.exit_code, 2);
  EXPECT_THAT(scaled.err, HasSubstr("--scale-time is for live runs"));
  EXPECT_EQ(testing::proffer({"sim", file_, "--live", "--codec"}).exit_code, 2);
}

/// Every process of the cluster dies, or is cut off, once, and what is drawn comes to pass as well.
TEST_F(LiveExperiment, CarriesOutTheFaultsOfThePlan) {
  const auto ran =
      testing::proffer({"sim", file_, "--live", "--quiet", "--json", "--set", "store.replication=3", "--set",
                        "allocator.heartbeat=200ms", "--set", "workload.map_time=700ms", "--set",
                        "cluster.faults=[{ at = \"600ms\", kill = \"r1n1\", for = \"1s\" }, { "
                        "at = \"2s\", cut = \"r2n1\", for = "
                        "\"1500ms\" }, { at = \"4s\", stop = \"allocator\", for = \"500ms\" }, "
                        "{ at = \"6s\", stop = \"catalog\", "
                        "for = \"500ms\" }, { at = \"6s\", cut = \"r3\", for = \"1h\" }]",
                        "--set", "faults.nodes={ mtbf = \"exponential(20s)\", mttr = \"1s\" }"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(testing::json_number(ran.out, "/measures/jobs.finished"), kJobs);
  EXPECT_GT(testing::json_number(ran.out, "/measures/tasks_unfinished"), 0) << "what ran on r1n1 is lost";
  EXPECT_LE(testing::json_number(ran.out, "/measures/utilisation.map"), 1);
  EXPECT_THAT(left_behind(), IsEmpty());
}

/// Two nodes hold everything. One is away when the job lists its input, and comes back while it runs.
TEST_F(LiveExperiment, LetsAJobThatBeganWithoutANodeReadThereOnceItIsBack) {
  const auto results = folder_.path() + "/back";
  const auto ran = testing::proffer(
      words({"-d", results, "--live", "--set", "cluster.racks=1", "--set", "cluster.nodes_per_rack=2",
             "--set", "store.replication=2", "--set", "workload.bins=[{ maps = 60, jobs = 1 }]", "--set",
             "workload.map_time=500ms", "--set", "workload.arrivals=at-once", "--set", "workload.start=2s",
             "--set", "cluster.faults=[{ at = \"100ms\", kill = \"r1n2\", for = \"4s\" }]"}));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  int near = 0;
  int far = 0;
  for (const auto& row : csv_file(results + "/all/seed-1/tasks.csv").rows) {
    if (row.find(",r1n2,") == row.npos) continue;
    ++(row.find(",node,1,") != row.npos ? near : far);
  }
  EXPECT_GT(near, 10);
  EXPECT_LE(far, 4) << "only what was launched before the catalog had its blocks again";
}

TEST_F(LiveExperiment, CannotBeVerifiedOrMixedWithASimulation) {
  const auto results = folder_.path() + "/live";
  ASSERT_EQ(testing::proffer(words({"-d", results, "--live", "--set", "workload.map_time=1ms"})).exit_code,
            0);
  const auto listed = testing::proffer({"experiment", "list", file_, "-d", results});
  EXPECT_THAT(listed.err, HasSubstr("holds results of this experiment as it was before"));
  const auto verified = testing::proffer({"experiment", "verify", results});
  EXPECT_EQ(verified.exit_code, 2);
  EXPECT_THAT(verified.err, HasSubstr("no two of these are the same"));
  EXPECT_NE(testing::proffer(words({"-d", results})).exit_code, 0);
}

}  // namespace
}  // namespace proffer
