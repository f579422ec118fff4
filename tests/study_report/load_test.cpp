// A report from a folder of results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/study_report/files.hpp"
#include "tests/study_report/sample.hpp"

namespace proffer::study {
namespace {

constexpr const char* kExperiment = R"(
name = "small"
title = "A small one"
seeds = { from = 1, count = 3 }
[cluster]
racks = 2
nodes_per_rack = 3
slots = { map = 4 }
[[framework]]
name = "hadoop"
policy = "wait,node_wait=${delay}"
[[workload]]
bins = [{ maps = 5, jobs = 4 }]
[sweep]
delay = ["0s", "5s"]
[report]
baseline = "0s"
)";

class LoadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto experiment = parse_experiment(kExperiment, "small.toml", "");
    ASSERT_TRUE(experiment.ok()) << experiment.error().message;
    cells_ = cells(*experiment);
    const auto opened = results_.open(*experiment, "0.1.0");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
  }
  void finish(std::size_t cell, std::uint64_t seed) {
    const auto& each = cells_.at(cell);
    ASSERT_TRUE(results_.begin_run(each, seed).ok());
    ASSERT_TRUE(results_.finish_run(each, sample_run({}, each.name, cell == 0 ? 0 : 5, seed)).ok());
  }

  Folder folder_;
  ResultsFolder results_{(folder_.path() / "results").string()};
  std::vector<Cell> cells_;
};

TEST_F(LoadTest, FirstSeedsComeWithAllTablesTheOthersWithJobs) {
  for (const std::uint64_t seed : {1, 2}) {
    finish(0, seed);
    finish(1, seed);
  }
  const auto input = read_report_input((folder_.path() / "results").string(), "0.1.0");
  ASSERT_TRUE(input.ok()) << input.error().message;
  EXPECT_EQ(input->title, "A small one");
  ASSERT_EQ(input->cells.size(), 2U);
  ASSERT_EQ(input->cells[1].runs.size(), 2U);
  EXPECT_FALSE(input->cells[1].runs[0].tasks.empty());
  EXPECT_TRUE(input->cells[1].runs[1].tasks.empty());
  EXPECT_FALSE(input->cells[1].runs[1].jobs.empty());
}

TEST_F(LoadTest, AReportOfTheFolderDrawsWhatWasDrawnFromMemory) {
  finish(0, 1);
  finish(1, 1);
  const auto input = read_report_input((folder_.path() / "results").string(), "0.1.0");
  ASSERT_TRUE(input.ok()) << input.error().message;
  const auto report = make_report(*input);
  EXPECT_EQ(report.figures.size(), report_figures().size() - 1);  // no job ran alone
  EXPECT_NE(report.html.find("Sensitivity to delay"), std::string::npos);
}

TEST_F(LoadTest, WithoutACompleteRunItSaysWhatMakesThem) {
  const auto input = read_report_input((folder_.path() / "results").string(), "0.1.0");
  ASSERT_FALSE(input.ok());
  EXPECT_THAT(input.error().message, testing::HasSubstr("holds no complete run; `proffer experiment run`"));
}

}  // namespace
}  // namespace proffer::study
