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
    settings_ = experiment->report;
    const auto opened = results_.open(*experiment, "0.1.0");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
  }
  RunResult run_of(std::size_t cell, std::uint64_t seed) const {
    return sample_run({}, cells_.at(cell).name, cell == 0 ? 0 : 5, seed);
  }
  void finish(std::size_t cell, const RunResult& run) {
    ASSERT_TRUE(results_.begin_run(cells_.at(cell), run.seed).ok());
    ASSERT_TRUE(results_.finish_run(cells_.at(cell), run).ok());
  }
  void finish(std::size_t cell, std::uint64_t seed) { finish(cell, run_of(cell, seed)); }

  Folder folder_;
  ResultsFolder results_{(folder_.path() / "results").string()};
  std::vector<Cell> cells_;
  ReportSettings settings_;
};

TEST_F(LoadTest, FirstSeedsComeWithAllTablesTheOthersWithJobs) {
  for (const std::uint64_t seed : {1u, 2u}) {
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
  ReportInput memory;
  memory.cells = {{cells_[0], {run_of(0, 1)}}, {cells_[1], {run_of(1, 1)}}};
  memory.summary = summary_for(memory.cells);
  memory.settings = settings_;
  const auto report = make_report(*input);
  const auto expected = make_report(memory);
  ASSERT_EQ(report.figures.size(), expected.figures.size());
  ASSERT_EQ(report.figures.size(), report_figures().size() - 1);  // no job ran alone
  for (std::size_t i = 0; i < report.figures.size(); ++i) {
    EXPECT_TRUE(report.figures[i].csv == expected.figures[i].csv) << report.figures[i].name;
    EXPECT_EQ(report.figures[i].caption, expected.figures[i].caption);
  }
}

TEST_F(LoadTest, WhatWasOtherwiseInLiveRunsStandsAtTheTopOnce) {
  for (const std::size_t cell : {0u, 1u}) {
    auto run = run_of(cell, 1);
    run.world = {true, 0.5, {"racks are equally far"}};
    finish(cell, run);
  }
  const auto input = read_report_input((folder_.path() / "results").string(), "0.1.0");
  ASSERT_TRUE(input.ok()) << input.error().message;
  EXPECT_TRUE(input->cells[0].runs[0].world.live);
  EXPECT_THAT(input->notes,
              testing::ElementsAre(testing::HasSubstr("real processes"), "racks are equally far"));
}

TEST_F(LoadTest, WithoutACompleteRunItSaysWhatMakesThem) {
  const auto input = read_report_input((folder_.path() / "results").string(), "0.1.0");
  ASSERT_FALSE(input.ok());
  EXPECT_THAT(input.error().message, testing::HasSubstr("holds no complete run; `proffer experiment run`"));
}

}  // namespace
}  // namespace proffer::study
