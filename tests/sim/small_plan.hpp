// Plans in a few lines, and what came of them.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "proffer/sim/simulate.hpp"
#include "proffer/study/generate.hpp"
#include "proffer/study/recorder.hpp"

namespace proffer::sim {

inline study::Plan plan_of(int nodes, int map_slots, int racks = 1) {
  study::Plan plan;
  plan.experiment = "test";
  plan.replication = 2;
  for (int n = 0; n < nodes; ++n) {
    plan.nodes.push_back({"n" + std::to_string(n),
                          "r" + std::to_string(n % racks),
                          {{Kind("map"), map_slots}, {Kind("reduce"), 1}}});
  }
  plan.frameworks.push_back({"mr", "", "", {"greedy", {}}, 0});
  return plan;
}

/// A job of the framework "mr" with a file whose blocks lie on those nodes (one list a block).
inline study::WorkloadJob& add_job(study::Plan& plan, std::vector<std::vector<std::string>> blocks,
                                   Duration compute, std::uint64_t block_bytes = 100'000'000) {
  auto& workload = plan.workload;
  const auto number = std::to_string(workload.jobs.size() + 1);
  study::WorkloadJob job;
  job.name = "job-" + number;
  job.framework = "mr";
  job.file = static_cast<std::uint32_t>(workload.files.size());
  study::WorkloadFile file{"/in/" + number, {}};
  for (auto& nodes : blocks) {
    file.blocks.push_back({block_bytes, std::move(nodes)});
    job.maps.push_back({compute, 0});
  }
  workload.files.push_back(std::move(file));
  workload.jobs.push_back(std::move(job));
  return workload.jobs.back();
}

/// Several frameworks with jobs from a generator.
inline study::Plan busy_plan(std::uint64_t seed,
                             const std::string& policy = "wait,node_wait=1s,rack_wait=1s") {
  auto plan = plan_of(12, 2, 3);
  plan.seed = seed;
  study::GenerateSpec spec;
  spec.bins = {{"", 3, 0, 8, {}, {}}, {"", 20, 2, 4, {}, {}}};
  spec.arrivals.process = study::Arrivals::Process::poisson;
  spec.arrivals.gap = std::chrono::seconds(4);
  spec.map_output = 0.1;
  plan.workload = study::generate(spec, seed);
  plan.frameworks.clear();
  for (int f = 0; f < 3; ++f) {
    plan.frameworks.push_back({"f" + std::to_string(f), "", "", parse_policy(policy).value(), 0});
  }
  for (std::size_t j = 0; j < plan.workload.jobs.size(); ++j) {
    plan.workload.jobs[j].framework = "f" + std::to_string(j % 3);
  }
  return plan;
}

inline study::RunResult run(const study::Plan& plan, const SimulationOptions& options = {}) {
  study::Recorder recorder(plan, kStart, {true, true});
  const auto simulated = simulate(plan, recorder, options);
  EXPECT_TRUE(simulated) << simulated.error().message;
  if (!simulated) return {};
  EXPECT_THAT(simulated->jobs_failed, testing::IsEmpty());
  auto result = recorder.finish(simulated->duration);
  result.events = simulated->events;
  return result;
}

/// Every invariant after every event.
inline study::RunResult run_checked(const study::Plan& plan) {
  SimulationOptions options;
  options.check_every = 1;
  return run(plan, options);
}

inline std::string refusal(const study::Plan& plan) {
  study::Recorder recorder(plan, kStart);
  const auto simulated = simulate(plan, recorder);
  return simulated ? "nothing is wrong" : simulated.error().message;
}

}  // namespace proffer::sim
