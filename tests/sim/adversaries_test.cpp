// One framework among a thousand that do nothing with what they are offered.
#include "small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr int kAgents = 20;
constexpr int kOthers = 999;

/// Returns a plan in which the job of one framework, 80 maps on 40 slots, comes last, behind one of each of
/// the others.
study::Plan among(const std::string& others, Duration horizon) {
  auto plan = plan_of(kAgents, 2);
  plan.horizon = horizon;
  std::vector<std::vector<std::string>> blocks;
  for (int map = 0; map < 80; ++map) blocks.push_back({"n" + std::to_string(map % kAgents)});
  add_job(plan, blocks, seconds(10));
  auto& workload = plan.workload;
  for (int n = 0; n < kOthers; ++n) {
    const auto name = "other-" + std::to_string(n);
    plan.frameworks.insert(plan.frameworks.end() - 1, {name, "", "", parse_policy(others).value(), 0});
    study::WorkloadJob job;
    job.name = name;
    job.framework = name;
    job.maps = {{seconds(1), 0}};
    workload.jobs.push_back(std::move(job));
  }
  return plan;
}

double finished_at(const study::RunResult& result) {
  for (const auto& job : result.jobs) {
    if (job.name == "job-1") return job.finished.value_or(-1);
  }
  return -1;
}

TEST(AThousandFrameworks, OfWhichAllButOneDeclineCostThatOneNothing) {
  const auto result = run(among("never-accept,hold=never", seconds(60)));
  EXPECT_EQ(finished_at(result), 26) << "two waves of 13 s, as without the others";
  EXPECT_LE(result.measures.at("offers.declined"), kOthers * kAgents + 80)
      << "each agent once by each of them";
}

TEST(AThousandFrameworks, OfWhichAllButOneAreSilentHoldItUpForABoundedTime) {
  const auto result = run(among("hoard,hold=120m", hours(2)));
  // Until t each of them has blocked a slot for 30 s log2(t / 30), since it is asked less and less: less than
  // all slots, 40 t, from t = 5,600 s on.
  EXPECT_GT(finished_at(result), 26);
  EXPECT_LE(finished_at(result), 5600);
}

}  // namespace
}  // namespace proffer::sim
