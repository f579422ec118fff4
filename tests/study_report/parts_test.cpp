// The parts that figures are made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "study/report/assets.hpp"
#include "study/report/cells.hpp"
#include "study/report/gnuplot.hpp"
#include "study/report/groups.hpp"
#include "study/report/html.hpp"
#include "study/report/lanes.hpp"
#include "study/report/natural.hpp"
#include "study/report/numbers.hpp"
#include "study/report/table.hpp"
#include "study/report/timeline.hpp"

namespace proffer::study::reporting {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TaskRow task(const std::string& agent, double placed, double ended) {
  TaskRow row;
  row.kind = "map";
  row.agent = agent;
  row.placed = placed;
  row.ended = ended;
  return row;
}

TEST(NumbersTest, ShowsAsManyDigitsAsTheIntervalMakesMeaningful) {
  EXPECT_EQ(estimate_text({10, 0.95123, 0.0031}), "0.9512 ± 0.0031");
  EXPECT_EQ(estimate_text({10, 123.456, 4.2}), "123.5 ± 4.2");
  EXPECT_EQ(estimate_text({1, 72.4371, {}}), "72.44");
  EXPECT_EQ(estimate_text({10, 0.99, 0.0}), "0.9900 ± 0");
}

TEST(TableTest, QuotesOnlyWhatNeedsIt) {
  Table table({{"a", false}, {"b"}});
  table.add({std::string("x, \"y\""), 0.5});
  table.add({std::string("plain"), std::nan("")});
  EXPECT_EQ(table.csv(), "a,b\n\"x, \"\"y\"\"\",0.5\nplain,\n");
}

TEST(TimelineTest, MeansAreWeightedByTime) {
  Timeline timeline(10, 2);
  timeline.add(0, 2.5, 4);
  timeline.add(4, 100, 1);
  EXPECT_DOUBLE_EQ(timeline.mean(0), (2.5 * 4 + 1) / 5);
  EXPECT_DOUBLE_EQ(timeline.mean(1), 1);
  EXPECT_DOUBLE_EQ(timeline.covered_mean(0).value(), (2.5 * 4 + 1) / 3.5);
}

TEST(TimelineTest, WhatWasNotCoveredHasNoMean) {
  Timeline timeline(10, 2);
  timeline.add(6, 7, 3);
  EXPECT_FALSE(timeline.covered_mean(0).has_value());
}

TEST(LanesTest, TasksThatOverlapGetLanesOfTheirOwn) {
  RunResult run;
  run.tasks = {task("a", 0, 10), task("a", 5, 15), task("a", 10, 20)};
  std::vector<std::size_t> lanes;
  for (const auto& each : lay_out(run, "map")) lanes.push_back(each.lane);
  EXPECT_THAT(lanes, ElementsAre(0, 1, 0));
}

TEST(LanesTest, AgentsBeyondTheLimitAreLeftOutAndCounted) {
  RunResult run;
  run.tasks = {task("n10", 0, 1), task("n2", 0, 1), task("n1", 0, 1)};
  const LaneAxis axis({lay_out(run, "map")}, 2);
  EXPECT_TRUE(axis.holds(run.tasks[1]));
  EXPECT_FALSE(axis.holds(run.tasks[0]));
  EXPECT_EQ(axis.agents_left_out(), 1U);
}

ReportCell cell_of(std::size_t frameworks) {
  RunResult run;
  for (std::size_t i = 1; i <= frameworks; ++i) {
    run.tasks.push_back(task("a", 0, 1));
    run.tasks.back().framework = "f" + std::to_string(i);
    JobRow job;
    job.framework = run.tasks.back().framework;
    job.pool = i % 2 == 0 ? "even" : "odd";  // within the framework: says nothing of the framework's own
    run.jobs.push_back(job);
  }
  return {{}, {run}};
}

TEST(GroupsTest, AreFrameworksUpToSixteen) {
  const auto cell = cell_of(16);
  const Groups groups({&cell});
  EXPECT_EQ(groups.names().size(), 16U);
  EXPECT_EQ(groups.of("f16"), "f16");
}

TEST(GroupsTest, BeyondSixteenAreTheLargestFifteenAndTheRest) {
  auto cell = cell_of(20);
  cell.runs[0].tasks.push_back(cell.runs[0].tasks.back());  // f20 has two
  const Groups groups({&cell});
  EXPECT_EQ(groups.names().size(), 16U);
  EXPECT_EQ(groups.of("f20"), "f20");
  EXPECT_EQ(groups.of("f19"), "the other 5");
  EXPECT_EQ(groups.names().back(), "the other 5");
}

TEST(NaturalTest, NumbersInNamesCount) {
  EXPECT_TRUE(natural_less("node2", "node10"));
  EXPECT_FALSE(natural_less("node10", "node2"));
  EXPECT_TRUE(natural_less("a", "b1"));
  EXPECT_TRUE(natural_less("r1n9", "r2n1"));
  EXPECT_FALSE(natural_less("x", "x"));
}

TEST(CellsTest, QuantitiesAreNumbersDurationsOrTheFirstOfAPolicy) {
  EXPECT_EQ(quantity_of({"jobs", "20"})->value, 20);
  EXPECT_EQ(quantity_of({"allocator.batch", "250ms"})->value, 0.25);
  EXPECT_EQ(quantity_of({"allocator.batch", "250ms"})->name, "batch");
  EXPECT_EQ(quantity_of({"policy", "wait,node_wait=5s,rack_wait=1s"})->value, 5);
  EXPECT_EQ(quantity_of({"policy", "wait,node_wait=5s,rack_wait=1s"})->name, "node_wait");
  EXPECT_FALSE(quantity_of({"policy", "greedy"}).has_value());
}

TEST(CellsTest, TheNameOfACellIsAQuantityOnlyAsAWhole) {
  EXPECT_EQ(quantity_of({"cell", "5s"})->name, "delay");
  EXPECT_FALSE(quantity_of({"cell", "N=10"}).has_value());
}

TEST(CellsTest, AFewCellsAreTheBaselineAndTheExtremes) {
  ReportInput input;
  input.settings.baseline = "c2";
  for (const int seconds : {5, 9, 6, 1, 7}) {
    JobRow job;
    job.finished = seconds;
    job.ok = true;
    RunResult run;
    run.jobs = {job};
    const auto name = "c" + std::to_string(input.cells.size());
    input.cells.push_back({{name, name, {{"cell", name}}, {input.cells.size()}}, {run}});
  }
  EXPECT_THAT(labels_of(choose_cells(input, 3)), ElementsAre("c1", "c2", "c3"));
}

TEST(HtmlTest, JsonCannotEndItsScript) {
  EXPECT_EQ(html_json(R"({"a": "</script>"})"), R"({"a": "\u003c/script>"})");
  EXPECT_EQ(html_text("<a href='x'>&\""), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
}

TEST(GnuplotTest, QuotesAreDoubled) { EXPECT_EQ(gnuplot_quoted("it's"), "'it''s'"); }

TEST(AssetsTest, TheProgramHoldsTheFilesAsTheyStand) {
  std::ifstream file(PROFFER_SOURCE_DIR "/third_party/js/vega-lite.min.js", std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(vega_lite_js(), text);
  for (const auto script : {vega_js(), vega_lite_js(), vega_embed_js(), page_js()}) {
    EXPECT_THAT(std::string(script), Not(HasSubstr("</script")));
    EXPECT_GT(script.size(), 1000U);
  }
}

}  // namespace
}  // namespace proffer::study::reporting
