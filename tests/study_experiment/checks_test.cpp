#include "proffer/study/checks.hpp"

#include <gmock/gmock.h>

namespace proffer::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Policy x jobs.
std::vector<Cell> four_cells() {
  const auto cell = [](std::size_t policy, std::size_t jobs) {
    const std::string names[] = {"greedy", "wait,node_wait=5s"};
    const std::string counts[] = {"5", "50"};
    Cell made;
    made.values = {{"framework.policy", names[policy]}, {"jobs", counts[jobs]}};
    made.picks = {policy, jobs};
    made.name = "policy=" + names[policy] + " jobs=" + counts[jobs];
    return made;
  };
  return {cell(0, 0), cell(0, 1), cell(1, 0), cell(1, 1)};
}

using Measures = std::map<std::string, double>;

/// The runs of cells with these measures, one a seed.
std::vector<CheckResult> run_on(const std::string& text, const std::vector<Cell>& cells,
                                const std::vector<std::vector<Measures>>& measures) {
  const auto check = parse_check(text);
  EXPECT_TRUE(check) << check.error().message;
  CellRuns runs;
  for (const auto& cell : measures) {
    auto& by_seed = runs.emplace_back();
    for (const auto& run : cell) by_seed[by_seed.size() + 1] = &run;
  }
  return run_checks({*check}, cells, runs);
}

std::vector<CheckResult> run(const std::string& text) {
  return run_on(text, four_cells(),
                {{{{"local", 0.9}, {"response", 10}}},
                 {{{"local", 0.2}, {"response", 100}}},
                 {{{"local", 0.99}, {"response", 9}}},
                 {{{"local", 0.98}, {"response", 50}}}});
}
std::vector<bool> passed(const std::string& text) {
  std::vector<bool> all;
  for (const auto& result : run(text)) all.push_back(result.verdict == Verdict::held);
  return all;
}

TEST(Filter, MatchesValuesWithAndWithoutTheirKeys) {
  const auto cell = four_cells()[3];
  for (const auto* filter :
       {"", "50", "jobs=50", "wait,node_wait=5s", "policy=wait,node_wait=5s",
        "framework.policy=wait,node_wait=5s", "50 wait,node_wait=5s", "policy=wait,node_wait=5s jobs=50"}) {
    EXPECT_TRUE(matches(cell, filter)) << filter;
  }
  for (const auto* filter : {"5", "jobs=5", "node_wait=5s", "50 greedy", "wait"}) {
    EXPECT_FALSE(matches(cell, filter)) << filter;
  }
}

TEST(FindCell, KeepsWhatTheFilterLeavesOpen) {
  EXPECT_EQ(find_cell(four_cells(), "greedy", 3), 1u);
  EXPECT_EQ(find_cell(four_cells(), "greedy", 2), 0u);
  EXPECT_EQ(find_cell(four_cells(), "", 2), 2u);
  EXPECT_EQ(find_cell(four_cells(), "lazy", 2), std::nullopt);
}

TEST(Check, WithoutAFilterIsOfEveryCell) {
  EXPECT_THAT(passed("local > 0.5"), ElementsAre(true, false, true, true));
}

TEST(Check, WithAFilterIsOfItsCells) {
  EXPECT_THAT(passed("local{greedy} >= 0.9"), ElementsAre(true, false));
  EXPECT_THAT(passed("local{greedy jobs=5} >= 0.9"), ElementsAre(true));
}

TEST(Check, ComparesCellsThatAreElseAlike) {
  EXPECT_THAT(passed("response{greedy} >= 2 * response{wait,node_wait=5s}"), ElementsAre(false, true));
}

TEST(Check, ArithmeticGoesByTheRules) {
  EXPECT_THAT(passed("1 + 2 * 3 - 8 / 4 <= 5"), ElementsAre(true));
  EXPECT_THAT(passed("10 - 4 - 3 > 2.9"), ElementsAre(true));
  EXPECT_THAT(passed("2 < 2"), ElementsAre(false));
  EXPECT_THAT(passed("-1 < 0.5e0"), ElementsAre(true));
}

TEST(Check, ABinThatIsNoWordStandsInQuotes) {
  const auto results = run_on("local.\"3-20\" > 0.5", {Cell{}}, {{{{"local.3-20", 0.6}}}});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].verdict, Verdict::held);
}

TEST(Check, ThatFailsTellsBothFigures) {
  const auto results = run("response{greedy 50} < 2 * response{greedy 5}");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].sentence(),
            "response{greedy 50} < 2 * response{greedy 5} in policy=greedy jobs=50 and policy=greedy jobs=5: "
            "not held, 100 against 20, by +80");
}

TEST(Check, OnAMeasureThatNobodyTookFails) {
  const auto results = run("lokal{greedy 5} > 0");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].verdict, Verdict::not_held);
  EXPECT_THAT(results[0].sentence(), HasSubstr("not held, there is no figure for its left side"));
}

/// Cells "a" and "b" with the measure x by seed.
Verdict verdict(const std::string& text, const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<Cell> cells(2);
  std::vector<std::vector<Measures>> measures(2);
  for (std::size_t i = 0; i < 2; ++i) {
    cells[i].name = i == 0 ? "a" : "b";
    cells[i].values = {{"cell", cells[i].name}};
    cells[i].picks = {i};
    for (const auto x : i == 0 ? a : b) measures[i].push_back({{"x", x}});
  }
  return run_on(text, cells, measures).at(0).verdict;
}

TEST(Check, IsUndecidedWhereTheIntervalHoldsItsBound) {
  EXPECT_EQ(verdict("x{a} > 1", {1.0, 1.2, 1.1}, {}), Verdict::undecided);
  EXPECT_EQ(verdict("x{a} > 1", {1.1, 1.12, 1.11}, {}), Verdict::held);
  EXPECT_EQ(verdict("x{a} < 1", {1.1, 1.12, 1.11}, {}), Verdict::not_held);
}

TEST(Check, ComparesCellsByPairedSeeds) {
  EXPECT_EQ(verdict("x{a} > x{b}", {10, 20, 30}, {9, 18.9, 29}), Verdict::held)
      << "seeds differ more than cells";
  EXPECT_EQ(verdict("x{a} > x{b}", {10, 20, 30}, {29, 9, 18.9}), Verdict::undecided);
}

TEST(Check, OfFiguresThatNeverDifferFromTheirBoundAllowsThat) {
  EXPECT_EQ(verdict("x{a} >= 1", {1, 1, 1}, {}), Verdict::held);
  EXPECT_EQ(verdict("x{a} > 1", {1, 1, 1}, {}), Verdict::not_held);
}

TEST(Check, ADivisionByZeroIsNoFigure) { EXPECT_THAT(passed("1 / 0 > 0"), ElementsAre(false)); }

TEST(Check, BadTextsAreToldWithTheirPlace) {
  const auto bad = [](const std::string& text) {
    const auto check = parse_check(text);
    return check ? "nothing is wrong" : check.error().message;
  };
  EXPECT_EQ(bad("local >"), "\"local >\" ends too early: write a number or the name of a measure behind it");
  EXPECT_EQ(bad("local"), "\"local\" ends too early: write <, <=, > or >= behind it");
  EXPECT_EQ(bad("local = 3"), "\"local = 3\": there should be <, <=, > or >= at \"= 3\"");
  EXPECT_EQ(bad("local{5s > 3"), "\"local{5s > 3\": there should be a } behind the cell at \"5s > 3\"");
  EXPECT_EQ(bad("local.\"3 > 3"), "\"local.\"3 > 3\": there should be a \" behind the bin at \"3 > 3\"");
  EXPECT_EQ(bad("local > 3 4"), "\"local > 3 4\": there should be nothing more at \"4\"");
  EXPECT_EQ(bad(""), "\"\" ends too early: write a number or the name of a measure behind it");
}

}  // namespace
}  // namespace proffer::study
