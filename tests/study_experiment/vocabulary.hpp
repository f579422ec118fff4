// Experiments in a few lines.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "proffer/study/experiment.hpp"

namespace proffer::study {

/// Returns a small experiment with what any needs; `more` goes in front of its sections, `sections` behind
/// them.
inline std::string small(const std::string& more = "", const std::string& sections = "") {
  return "name = \"small\"\n" + more + R"(
[cluster]
racks = 2
nodes_per_rack = 3
slots = { map = 4, reduce = 2 }

[[framework]]
name = "hadoop"
count = 2

[[workload]]
bins = [{ maps = 5, jobs = 4 }]
)" + sections;
}

inline Experiment good(const std::string& text, const std::vector<std::string>& overrides = {}) {
  auto experiment = parse_experiment(text, "e.toml", "", overrides);
  EXPECT_TRUE(experiment) << experiment.error().message;
  return experiment ? *experiment : Experiment{};
}

inline std::string wrong(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const auto experiment = parse_experiment(text, "e.toml", "", overrides);
  return experiment ? "nothing is wrong" : experiment.error().message;
}

inline std::vector<std::string> names_of(const Experiment& experiment) {
  std::vector<std::string> names;
  for (const auto& cell : cells(experiment)) names.push_back(cell.name);
  return names;
}

/// Returns the plan of the cell with that name.
inline Plan plan_of(const Experiment& experiment, const std::string& cell = "", std::uint64_t seed = 1) {
  for (const auto& candidate : cells(experiment)) {
    if (candidate.name != cell) continue;
    auto plan = make_plan(experiment, candidate, seed);
    EXPECT_TRUE(plan) << plan.error().message;
    return plan ? *plan : Plan{};
  }
  ADD_FAILURE() << "there is no cell " << cell;
  return {};
}

}  // namespace proffer::study
