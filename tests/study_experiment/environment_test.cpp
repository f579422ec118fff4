// Environments: constants of a cluster that several experiments share.
#include "proffer/study/environment.hpp"

#include <filesystem>
#include <fstream>

#include "tests/study_experiment/vocabulary.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;

class EnvironmentTest : public testing::Test {
 protected:
  EnvironmentTest() : folder_(std::filesystem::temp_directory_path() / name()) {
    std::filesystem::create_directories(folder_);
  }
  ~EnvironmentTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& text) const { std::ofstream(folder_ / "env.toml") << text; }
  Result<Experiment> read(const std::string& sections = "",
                          const std::vector<std::string>& overrides = {}) const {
    return parse_experiment(small("include = \"env.toml\"", sections), "e.toml", folder_.string() + "/",
                            overrides);
  }
  /// What is wrong; the folder is called F.
  std::string wrong(const std::string& sections = "") const {
    const auto experiment = read(sections);
    if (experiment) return "nothing";
    auto message = experiment.error().message;
    for (auto at = message.find(folder_.string()); at != message.npos; at = message.find(folder_.string()))
      message.replace(at, folder_.string().size(), "F");
    return message;
  }

 private:
  static std::string name() {
    return std::string("proffer-env-") + testing::UnitTest::GetInstance()->current_test_info()->name() + "-" +
           std::to_string(::getpid());
  }
  std::filesystem::path folder_;
};

constexpr auto kEnvironment = R"([environment]
name = "ec2"
title = "a cluster"
[cost]
remote_rate = "17MB/s"
[allocator]
report_period = "3s"
[[fit]]
key = "cost.remote_rate"
from = "8MB/s"
to = "60MB/s"
)";

TEST_F(EnvironmentTest, SetsWhatTheExperimentLeavesOpen) {
  write(kEnvironment);
  const auto experiment = read("[cost]\nstart_up = \"2s\"\n");
  ASSERT_TRUE(experiment) << experiment.error().message;
  const auto plan = plan_of(*experiment);
  EXPECT_EQ(plan.cost.remote_rate, 17'000'000u);
  EXPECT_EQ(plan.cost.start_up, 2s);
  EXPECT_EQ(plan.allocator.report_period, 3s);
  ASSERT_TRUE(experiment->environment);
  EXPECT_EQ(experiment->environment->name, "ec2");
  ASSERT_EQ(experiment->environment->fitted.size(), 1u);
  EXPECT_EQ(experiment->environment->fitted[0].value, "17MB/s");
}

TEST_F(EnvironmentTest, CellsSweepsAndSetMayVaryWhatItSets) {
  write(kEnvironment);
  const auto set = read("", {"cost.remote_rate=9MB/s"});
  ASSERT_TRUE(set) << set.error().message;
  EXPECT_EQ(plan_of(*set).cost.remote_rate, 9'000'000u);
  const auto swept = read("[sweep]\n\"cost.remote_rate\" = [\"5MB/s\", \"6MB/s\"]\n");
  ASSERT_TRUE(swept) << swept.error().message;
  EXPECT_EQ(plan_of(*swept, "remote_rate=6MB/s").cost.remote_rate, 6'000'000u);
}

TEST_F(EnvironmentTest, NoConstantHasTwoValues) {
  write(kEnvironment);
  EXPECT_EQ(wrong("[cost]\nremote_rate = \"10MB/s\"\n"),
            "e.toml:15:15: cost.remote_rate is set by the environment ec2 (F/env.toml:5): leave it out here; "
            "cells, [sweep] and --set may vary it");
}

TEST_F(EnvironmentTest, WhatIsWrongInItsFileIsToldWithItsPlaceThere) {
  write("[environment]\nname = \"ec2\"\n[cost]\nremote_rat = \"1MB/s\"\n");
  EXPECT_EQ(wrong(), "F/env.toml:4:1: unknown key of [cost] \"remote_rat\"; did you mean \"remote_rate\"?");
  write("[cost]\nremote_rate = \"1MB/s\"\n");
  EXPECT_EQ(wrong(), "F/env.toml:1:1: an environment begins with [environment] and its name");
  write(
      "[environment]\nname = \"ec2\"\n[[fit]]\nkey = \"cost.remote_rate\"\nfrom = \"1MB/s\"\nto = "
      "\"2MB/s\"\n");
  EXPECT_EQ(wrong(),
            "F/env.toml:3:1: a [[fit]] needs key, from and to; and its key, such as \"cost.remote_rate\", a "
            "value in this file");
}

TEST_F(EnvironmentTest, AMissingFileIsToldWithThePlaceThatNamesIt) {
  EXPECT_THAT(wrong(), testing::StartsWith("e.toml:2:11: "));
}

TEST_F(EnvironmentTest, AFigureIsFittedOnlyWhereAConstantIs) {
  const std::string figure = "[[paper]]\nmeasure = \"node_local\"\nvalue = 1\nfitted = true\n";
  write(kEnvironment);
  const auto experiment = read(figure);
  ASSERT_TRUE(experiment) << experiment.error().message;
  EXPECT_TRUE(experiment->paper.at(0).fitted);
  write("[environment]\nname = \"ec2\"\n");
  EXPECT_EQ(wrong(figure),
            "e.toml:17:10: no constant is fitted to it: include an environment with a [[fit]]");
}

}  // namespace
}  // namespace proffer::study
