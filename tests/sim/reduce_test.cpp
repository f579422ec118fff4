// Reduces in time: slow start, hoarding, copy-compute splitting (SEMANTICS §9).
#include "small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;
using testing::DoubleNear;

constexpr double kNearly = 1e-4;

/// Two nodes of one map slot; four maps of 10 s (13 with their start) that leave 100 MB each.
study::Plan two_waves(int reduce_slots, std::uint32_t slow_start_milli) {
  auto plan = plan_of(2, 1);
  for (auto& node : plan.nodes) node.slots = {{Kind("map"), 1}, {Kind("reduce"), reduce_slots}};
  plan.frameworks[0].slow_start_milli = slow_start_milli;
  plan.cost.disk_rate = 0;
  plan.cost.remote_rate = 10'000'000;
  auto& job = add_job(plan, {{"n0"}, {"n1"}, {"n0"}, {"n1"}}, seconds(10));
  for (auto& map : job.maps) map.output_bytes = 100'000'000;
  job.reduces = {{seconds(5), 0}};
  return plan;
}

double finished(const study::RunResult& result, std::size_t job = 0) {
  return result.jobs.at(job).finished.value_or(-1);
}

TEST(Reduce, CopiesThenComputesAfterAllMaps) {
  // 200 of the 400 MB lie on the other node: 20 s; then 5 s.
  EXPECT_THAT(finished(run(two_waves(1, 1000))), DoubleNear(26 + 3 + 20 + 5, kNearly));
}

TEST(Reduce, StartedEarlyCopiesTheFirstWaveBesideTheSecond) {
  // The reduce runs from 13 on, and from 16 on it copies the 100 MB of the first wave (10 s); at 26 those of
  // the second.
  EXPECT_THAT(finished(run(two_waves(1, 500))), DoubleNear(26 + 10 + 5, kNearly));
}

/// A long job whose reduces start early and hold every reduce slot, and a short one behind it.
study::Plan hoarding(int reduce_slots, std::uint32_t max_computing) {
  auto plan = plan_of(1, 2);
  plan.nodes[0].slots = {{Kind("map"), 2}, {Kind("reduce"), reduce_slots}};
  plan.nodes[0].max_computing = max_computing;
  plan.frameworks[0].slow_start_milli = 50;
  plan.frameworks[0].max_copying = max_computing;
  auto& longer = add_job(plan, std::vector<std::vector<std::string>>(20, {"n0"}), seconds(10));
  longer.reduces = {{seconds(5), 0}, {seconds(5), 0}};
  auto& shorter = add_job(plan, {{"n0"}}, seconds(10));
  shorter.submit = seconds(30);
  shorter.reduces = {{seconds(5), 0}};
  return plan;
}

TEST(Hoarding, AShortJobWaitsForTheMapsOfALongOne) {
  const auto result = run(hoarding(2, 0));
  EXPECT_GT(finished(result, 1), finished(result, 0) - 20);
}

TEST(Splitting, LetsTheShortJobReduceBesideCopyingReduces) {
  const auto result = run(hoarding(4, 2));
  EXPECT_LT(finished(result, 1), 30 + 3 * 13 + 3 + 5);
  EXPECT_GT(finished(result, 0), 100);
}

TEST(Splitting, LetsNoMoreComputeThanMay) {
  auto plan = plan_of(1, 1);
  plan.nodes[0].slots = {{Kind("map"), 1}, {Kind("reduce"), 4}};
  plan.nodes[0].max_computing = 1;
  auto& job = add_job(plan, {{"n0"}}, seconds(10));
  job.reduces = {{seconds(5), 0}, {seconds(5), 0}, {seconds(5), 0}, {seconds(5), 0}};
  EXPECT_THAT(finished(run(plan)), DoubleNear(13 + 3 + 4 * 5, kNearly));
}

TEST(SlowStart, KeepsInvariantsAndDigestsThroughTheCodecAndKills) {
  auto plan = busy_plan(7);
  for (auto& framework : plan.frameworks) framework.slow_start_milli = 50;
  plan.heartbeat = seconds(1);
  plan.faults = {{seconds(30), study::PlanFault::What::kill_node, "n3", seconds(20)}};
  SimulationOptions checked;
  checked.check_every = 1;
  checked.codec = true;
  const auto result = run(plan, checked);
  EXPECT_EQ(result.measures.at("jobs.unfinished"), 0);
  EXPECT_EQ(result.digest, run(plan).digest);
}

}  // namespace
}  // namespace proffer::sim
