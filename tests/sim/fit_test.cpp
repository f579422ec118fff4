// The simulator is fitted to runs whose costs are known: its own.
#include "proffer/sim/fit.hpp"

#include "tests/sim/small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// A plan, as it was written, of a cluster that is busy all the time: enough maps that chance moves little.
study::MeasuredRun planned(Duration report_period) {
  study::MeasuredRun run{plan_of(8, 2, 2), {}};
  auto& plan = run.plan;
  study::GenerateSpec spec;
  spec.bins = {{"", 150, 0, 4, {}, {}}};
  spec.arrivals.gap = seconds(1);
  plan.workload = study::generate(spec, 1);
  for (auto& job : plan.workload.jobs) job.framework = "mr";
  plan.cost.start_up = seconds(1);
  plan.cost.remote_rate = 10'000'000;  // what is read from elsewhere takes longer than its map computes
  plan.allocator.report_period = report_period;
  return run;
}

/// Returns the runs that would have been measured on a machine of these costs.
std::vector<study::MeasuredRun> measured(const study::Calibration& machine, Duration planned_period) {
  auto runs = predict({planned(planned_period)}, machine);
  EXPECT_TRUE(runs.ok());
  runs->at(0).plan = planned(planned_period).plan;
  return std::move(*runs);
}

double seconds_in(Duration time) { return std::chrono::duration<double>(time).count(); }

TEST(Fit, FindsStartUpAndBandwidthOfTheMachine) {
  const auto fit = fit_to(measured({milliseconds(2500), 6'000'000}, seconds(1)));
  ASSERT_TRUE(fit.ok());
  EXPECT_NEAR(seconds_in(fit->found.start_up), 2.5, 0.05);
  EXPECT_NEAR(static_cast<double>(fit->found.bandwidth), 6e6, 1.5e6)
      << "which maps read from elsewhere is chance, and there are some hundred";
}

TEST(Fit, WhatMapsWaitForReportsIsNotAddedToTheStartUp) {
  const auto fit = fit_to(measured({seconds(1), 10'000'000}, seconds(3)));
  ASSERT_TRUE(fit.ok());
  EXPECT_NEAR(seconds_in(fit->found.start_up), 1, 0.05);
}

TEST(Fit, WhereThereAreNoReportsASlotsTurnIsPartOfTheStartUp) {
  auto live = measured({milliseconds(2500), 10'000'000}, {});
  const auto fit = fit_to(live);
  ASSERT_TRUE(fit.ok());
  EXPECT_NEAR(seconds_in(fit->found.start_up), 2.5 + fit->times.turn, 0.05);
}

TEST(Fit, ARunWithoutALocalMapTellsNothing) {
  const auto fit = fit_to({planned(seconds(0))});
  ASSERT_FALSE(fit.ok());
  EXPECT_THAT(fit.error().message, testing::HasSubstr("node-local"));
}

}  // namespace
}  // namespace proffer::sim
