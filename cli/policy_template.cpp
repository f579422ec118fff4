#include "cli/policy_template.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace proffer::cli {
namespace {

constexpr std::string_view kSource =
    R"text(// @NAME@ waits for node-local slots, and takes any once it has let so many pass in a row.
#include "proffer/frameworks/policy_plugin.hpp"

namespace {
using namespace proffer;

class @CLASS@Policy final : public Policy {
 public:
  explicit @CLASS@Policy(Settings& settings)
      : passes_(settings.count("passes", 5)), hold_(settings.duration("hold", std::chrono::seconds(1))) {}

  void opportunity(std::span<const Standing>, const Candidates&, Time) override {}
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time) override {
    bool waited = false;
    for (const auto job : jobs.in_order(slot.kind)) {
      const auto nearest = jobs.nearest(job, slot.kind, slot.agent);
      if (!nearest) continue;
      waited = *nearest != Locality::node && jobs.has_preferences(job, slot.kind) && passed_ < passes_;
      if (waited) continue;
      passed_ = 0;
      return Take{job, *nearest, {}};
    }
    passed_ += waited ? 1 : 0;
    return Pass{waited ? DeclineReason::no_node_local : DeclineReason::no_pending_task};
  }
  /// Slots that it let pass are shown to it again after the hold.
  std::optional<Time> next_level_change(Kind, const Candidates&, Time now) const override {
    return now + hold_;
  }
  void job_ended(JobId) override {}

 private:
  std::int64_t passes_;
  Duration hold_;
  std::int64_t passed_ = 0;
};
}  // namespace

PROFFER_POLICY("@NAME@", "waits for node-local slots, and lets others pass", @CLASS@Policy)
)text";

constexpr std::string_view kTest = R"text(// @NAME@, shown one slot after the other.
#include <gtest/gtest.h>

#include "proffer/frameworks/policy_plugin.hpp"

namespace {
using namespace proffer;

/// One job with one task, whose data is on the agent "near".
class OneJob final : public Candidates {
 public:
  std::span<const JobId> in_order(Kind) const override { return {&job_, 1}; }
  bool has_preferences(JobId, Kind) const override { return true; }
  std::optional<Locality> nearest(JobId, Kind, const AgentInfo& agent) const override {
    return agent.name == "near" ? Locality::node : Locality::any;
  }
  std::int64_t unlaunched(JobId, Kind) const override { return 1; }
  std::int64_t running(JobId, Kind) const override { return 0; }
  std::int64_t preferred_agents(JobId, Kind) const override { return 1; }

 private:
  JobId job_{1};
};

class @CLASS@Test : public testing::Test {
 protected:
  void make(const std::string& text) {
    PolicyRegistry registry;
    proffer_policies_v1(registry);
    policy_ = registry.make(parse_policy(text).value(), std::chrono::seconds(1)).value();
  }
  bool takes(const std::string& name) {
    const AgentInfo agent{{{0, 1}}, name, "r1", ""};
    const auto choice = policy_->consider({agent, Kind("map"), OfferId{1, ++offers_}}, OneJob{}, Time{});
    return std::holds_alternative<Take>(choice);
  }
  std::unique_ptr<Policy> policy_;
  std::uint64_t offers_ = 0;
};

TEST_F(@CLASS@Test, TakesLocalSlotsAtOnce) {
  make("@NAME@");
  EXPECT_TRUE(takes("near"));
}

TEST_F(@CLASS@Test, TakesAnySlotAfterItsPasses) {
  make("@NAME@,passes=2");
  EXPECT_FALSE(takes("far"));
  EXPECT_FALSE(takes("far"));
  EXPECT_TRUE(takes("far"));
}

}  // namespace
)text";

constexpr std::string_view kBuild =
    R"text(# cmake -B build && cmake --build build  makes build/@FILE@.so
cmake_minimum_required(VERSION 3.20)
project(@FILE@ LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

set(PROFFER_SOURCE "@PROFFER@" CACHE PATH "A checkout of proffer, or where it is installed")
find_path(PROFFER_INCLUDE proffer/frameworks/policy_plugin.hpp HINTS ${PROFFER_SOURCE}/include)
if(NOT PROFFER_INCLUDE)
  message(FATAL_ERROR "proffer's headers are neither in '${PROFFER_SOURCE}' nor installed: add "
    "-DPROFFER_SOURCE=DIR, a checkout of proffer or the PREFIX of `make install`")
endif()
include_directories(${PROFFER_INCLUDE})

# It links nothing of proffer: the program that loads it has it all.
add_library(@FILE@_policy MODULE @FILE@.cpp)
set_target_properties(@FILE@_policy PROPERTIES PREFIX "" OUTPUT_NAME @FILE@
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

# The test is a program of its own, and needs proffer's archives.
find_package(GTest)
find_package(fmt)
find_library(PROFFER_FRAMEWORKS proffer_frameworks
  HINTS ${PROFFER_SOURCE}/build/release/frameworks ${PROFFER_SOURCE}/build/dev/frameworks ${PROFFER_SOURCE}/lib)
find_library(PROFFER_CORE proffer_core
  HINTS ${PROFFER_SOURCE}/build/release/core ${PROFFER_SOURCE}/build/dev/core ${PROFFER_SOURCE}/lib)
if(GTest_FOUND AND fmt_FOUND AND PROFFER_FRAMEWORKS AND PROFFER_CORE)
  enable_testing()
  add_executable(@FILE@_policy_test @FILE@_test.cpp @FILE@.cpp)
  target_link_libraries(@FILE@_policy_test ${PROFFER_FRAMEWORKS} ${PROFFER_CORE} fmt::fmt GTest::gtest_main)
  add_test(NAME @FILE@ COMMAND @FILE@_policy_test)
else()
  message(STATUS "The test is left out: it needs GoogleTest, fmt and proffer's archives")
endif()
)text";

constexpr std::string_view kExperiment =
    R"text(# @NAME@ beside greedy and wait:  proffer experiment run experiment.toml
name = "@NAME@"
title = "@NAME@ beside greedy and wait"
plugins = ["build/@FILE@.so"]   # from the folder of this file
seeds = 5

[cluster]
racks = 4
nodes_per_rack = 10
slots = { map = 2, reduce = 1 }

[[framework]]
name = "hadoop"
count = 3

[[workload]]
bins = [{ name = "small", maps = 5, jobs = 30 }, { name = "large", maps = 60, reduces = 4, jobs = 6 }]
map_time = "lognormal(10s, 3s)"
reduce_time = "20s"
arrivals = { process = "poisson", mean = "8s" }

[sweep]
"framework.policy" = ["greedy", "wait,node_wait=5s,rack_wait=5s", "@NAME@"]

[report]
baseline = "greedy"
)text";

/// "patient-two" as PatientTwo.
std::string class_name(const std::string& name) {
  std::string text;
  bool begins = true;
  for (const char c : name) {
    if (c != '-') text += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '-';
  }
  return text;
}

std::string file_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string filled(std::string_view text, const std::string& name, const std::string& proffer = "") {
  std::string all(text);
  const std::pair<std::string_view, std::string> words[] = {
      {"@NAME@", name}, {"@CLASS@", class_name(name)}, {"@FILE@", file_name(name)}, {"@PROFFER@", proffer}};
  for (const auto& [word, value] : words) {
    for (auto at = all.find(word); at != all.npos; at = all.find(word, at + value.size())) {
      all.replace(at, word.size(), value);
    }
  }
  return all;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> policy_files(const std::string& name,
                                                              const std::string& proffer) {
  const auto file = file_name(name);
  return {{file + ".cpp", filled(kSource, name)},
          {file + "_test.cpp", filled(kTest, name)},
          {"CMakeLists.txt", filled(kBuild, name, proffer)},
          {"experiment.toml", filled(kExperiment, name)}};
}

}  // namespace proffer::cli
