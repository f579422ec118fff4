// What a report says, without a browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proffer/formats/json_tree.hpp"
#include "tests/study_report/sample.hpp"

namespace proffer::study {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// For pages, which are too long to be printed by a matcher.
bool holds(const std::string& page, std::string_view text) { return page.find(text) != std::string::npos; }

const ReportFigure* find(const Report& report, const std::string& name) {
  for (const auto& figure : report.figures) {
    if (figure.name == name) return &figure;
  }
  return nullptr;
}

const ReportGap* find_gap(const Report& report, const std::string& name) {
  for (const auto& gap : report.left_out) {
    if (gap.name == name) return &gap;
  }
  return nullptr;
}

TEST(ReportTest, DrawsAllButSlowdownFromFullResults) {
  const auto report = make_report(sample_input({}, 3));
  EXPECT_THAT(report.figures, SizeIs(report_figures().size() - 1));
  ASSERT_THAT(report.left_out, SizeIs(1));
  EXPECT_EQ(report.left_out[0].name, "slowdown-cdf");
}

TEST(ReportTest, IsTheSameTwice) {
  EXPECT_TRUE(make_report(sample_input({}, 2)).html == make_report(sample_input({}, 2)).html);
}

TEST(ReportTest, SpecificationsAreJsonWithTheCsvInside) {
  for (const auto& figure : make_report(sample_input({}, 2)).figures) {
    const auto spec = formats::parse_json(figure.spec, figure.name);
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    ASSERT_NE(spec->find("data"), nullptr);
    EXPECT_EQ(spec->find("data")->find("values")->text, figure.csv);
  }
}

TEST(ReportTest, CaptionsNameCellsSeedsAndDigests) {
  for (const auto& figure : make_report(sample_input({}, 3)).figures) {
    EXPECT_THAT(figure.caption, AllOf(HasSubstr("static"), HasSubstr("seed"), HasSubstr("igest")));
  }
}

TEST(ReportTest, AnExperimentAsLargeAsThePaperStaysBelowThreeMegabytes) {
  SampleShape shape;
  shape.nodes = 93;
  shape.frameworks = 16;
  shape.jobs = 16;
  shape.gap = 0.1;
  shape.sizes = {800};
  const auto html = make_report(sample_input(shape, 3)).html;
  EXPECT_LT(html.size(), 3'000'000U);
  EXPECT_TRUE(holds(html, "Cut: "));
}

TEST(ReportTest, NothingInThePageIsLoadedFromElsewhere) {
  const auto html = make_report(sample_input({}, 1)).html;
  for (const auto* tag : {"src=\"http", "href=\"http", "<link", "@import", "url(http"}) {
    EXPECT_FALSE(holds(html, tag)) << tag;
  }
}

TEST(ReportTest, TextFromResultsCannotEndAScriptOrStartATag) {
  auto input = sample_input({}, 1);
  input.title = "<title-of-ours>";
  for (auto& cell : input.cells) {
    cell.cell.name += "</script><i>";
    for (auto& run : cell.runs) {
      for (auto& job : run.jobs) job.framework += "<u>";
    }
  }
  input.summary = summary_for(input.cells);
  const auto html = make_report(input).html;
  for (const auto* tag : {"</script><i>", "<u>", "<title-of-ours"}) EXPECT_FALSE(holds(html, tag)) << tag;
}

TEST(ReportTest, WithoutOffersTheirFigureIsLeftOutWithTheReason) {
  SampleShape shape;
  shape.offers = false;
  const auto report = make_report(sample_input(shape, 1));
  EXPECT_EQ(find(report, "decline-reasons"), nullptr);
  ASSERT_NE(find_gap(report, "decline-reasons"), nullptr);
  EXPECT_TRUE(holds(report.html, "no offer was made."));
}

TEST(ReportTest, WithoutABaselineThereIsNoSpeedUp) {
  auto input = sample_input({}, 1);
  input.settings.baseline.clear();
  EXPECT_NE(find_gap(make_report(input), "speed-up-by-bin"), nullptr);
}

TEST(ReportTest, ResultsWithoutAnyRunGiveAPageOfGaps) {
  ReportInput input;
  input.title = "empty";
  const auto report = make_report(input);
  EXPECT_THAT(report.figures, IsEmpty());
  EXPECT_THAT(report.left_out, SizeIs(report_figures().size()));
}

TEST(ReportTest, OnlyTheFiguresAskedForAreDrawn) {
  auto input = sample_input({}, 1);
  input.settings.figures = {"response-cdf"};
  const auto report = make_report(input);
  ASSERT_THAT(report.figures, SizeIs(1));
  EXPECT_EQ(report.figures[0].name, "response-cdf");
  EXPECT_THAT(report.left_out, IsEmpty());
}

TEST(ReportTest, SpeedUpIsTheRatioOfMeanResponsesOfOneSeed) {
  ReportInput input;
  input.settings.baseline = "slow";
  for (const auto& [name, seconds] : {std::pair("slow", 30.0), std::pair("fast", 20.0)}) {
    JobRow job;
    job.finished = seconds;
    job.ok = true;
    RunResult run;
    run.seed = 1;
    run.jobs = {job};
    input.cells.push_back({{name, name, {{"cell", name}}, {input.cells.size()}}, {run}});
  }
  const auto report = make_report(input);
  const auto* figure = find(report, "speed-up-by-bin");
  ASSERT_NE(figure, nullptr);
  EXPECT_EQ(figure->csv, "bin,bin_index,cell,speed_up,low,high,seeds\nall jobs,0,fast,1.5,1.5,1.5,1\n");
}

TEST(ReportTest, ThePapersFigureStandsBesideOurs) {
  EXPECT_TRUE(holds(
      make_report(sample_input({}, 2)).html,
      "<td>A8</td><td>local maps at 5 s</td><td>5s</td><td>node_local</td><td class=\"number\">0.95</td>"));
}

}  // namespace
}  // namespace proffer::study
