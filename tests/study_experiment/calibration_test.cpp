// What a live run tells of its machine.
#include <gmock/gmock.h>

#include "proffer/study/calibration.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;
using ::testing::DoubleEq;

/// A job of two maps that compute 4 s and 6 s, with 1 s of start-up.
MeasuredRun run_of(std::vector<TaskRow> tasks) {
  MeasuredRun run;
  run.plan.cost.start_up = 1s;
  WorkloadJob job;
  job.name = "job-1";
  job.maps = {{4s, 0}, {6s, 0}};
  run.plan.workload.jobs = {job};
  run.result.tasks = std::move(tasks);
  run.result.jobs.resize(1);
  run.result.jobs[0].name = "job-1";
  return run;
}

TaskRow map(std::string task, Locality locality, double placed, double ended) {
  TaskRow row;
  row.job = "job-1";
  row.task = std::move(task);
  row.kind = "map";
  row.agent = "n1";
  row.locality = locality;
  row.preferred = true;
  row.placed = placed;
  row.ended = ended;
  row.state = "FINISHED";
  return row;
}

MapTimes times_of(std::vector<TaskRow> tasks) {
  const std::vector<MeasuredRun> runs{run_of(std::move(tasks))};
  return map_times(runs);
}

TEST(MapTimes, TellLocalMapsFromOthersAndWhatWasPlanned) {
  const auto times =
      times_of({map("j1-m-00000-0", Locality::node, 0, 5.5), map("j1-m-00001-0", Locality::rack, 0, 12)});
  EXPECT_EQ(times.local, 1u);
  EXPECT_THAT(times.local_took, DoubleEq(5.5));
  EXPECT_THAT(times.local_planned, DoubleEq(5));
  EXPECT_EQ(times.remote, 1u);
  EXPECT_THAT(times.remote_took, DoubleEq(12));
}

TEST(MapTimes, LeaveOutMapsThatFailedAndTasksOfOtherKinds) {
  auto failed = map("j1-m-00000-0", Locality::node, 0, 1);
  failed.state = "FAILED";
  const auto times = times_of({failed, map("j1-r-00000-0", Locality::any, 0, 9)});
  EXPECT_EQ(times.local + times.remote, 0u);
}

TEST(MapTimes, ATurnIsFromAnEndToTheNextPlacementOfAJobThatDidNotWait) {
  auto patient = map("j1-m-00001-1", Locality::node, 20, 27);
  patient.waited = 3;
  const auto times = times_of(
      {map("j1-m-00000-0", Locality::node, 0, 5), map("j1-m-00001-0", Locality::node, 5.25, 12), patient});
  EXPECT_EQ(times.turns, 1u);
  EXPECT_THAT(times.turn, DoubleEq(0.25));
}

TEST(MapTimes, ASlotThatNobodyWantedIsNoTurn) {
  auto run = run_of({map("j1-m-00000-0", Locality::node, 0, 5), map("j1-m-00001-0", Locality::node, 9, 16)});
  run.result.jobs[0].submitted = 8;
  EXPECT_EQ(map_times(std::span(&run, 1)).turns, 0u);
}

TEST(Calibrated, IsBoundByTheNodesBandwidthAlone) {
  const auto plan = calibrated(run_of({}).plan, {2s, 5'000'000});
  EXPECT_EQ(plan.cost.start_up, 2s);
  EXPECT_EQ(plan.cost.nic_rate, 5'000'000u);
  EXPECT_EQ(plan.cost.remote_rate + plan.cost.disk_rate + plan.cost.rack_uplink_rate, 0u);
}

}  // namespace
}  // namespace proffer::study
