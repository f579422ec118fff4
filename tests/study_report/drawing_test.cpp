// The page in a browser, and the scripts in gnuplot: whether what is written can be drawn.
#include <gtest/gtest.h>

#include <regex>

#include "tests/study_report/files.hpp"
#include "tests/study_report/sample.hpp"

namespace proffer::study {
namespace {

/// Every address leads to a port where nobody listens, and each attempt is told on stderr.
std::string chromium(const std::string& page) {
  return "timeout 90 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
         "--user-data-dir=profile --proxy-server=127.0.0.1:9 --enable-logging=stderr --v=0 "
         "--virtual-time-budget=60000 --dump-dom file://$PWD/" +
         page;
}

std::string all_drawn(const Report& report) {
  const auto count = std::to_string(report.figures.size());
  return "data-drawn=\"" + count + "/" + count + "\"";
}

std::string console_lines(const std::string& err) {
  std::string lines;
  static const std::regex line("[^\n]*:CONSOLE[^\n]*");
  for (std::sregex_iterator at(err.begin(), err.end(), line), end; at != end; ++at) lines += at->str() + "\n";
  return lines;
}

TEST(DrawingTest, EveryFigureIsDrawnInABrowserWithoutAWordInItsConsole) {
  if (!is_installed("chromium")) GTEST_SKIP() << "chromium is not installed";
  const Folder folder;
  const auto report = make_report(sample_input({}, 3));
  write_text(folder.path() / "report.html", report.html);
  const auto seen = run_command(folder, chromium("report.html"));
  ASSERT_EQ(seen.exit_code, 0) << seen.err;
  EXPECT_TRUE(seen.out.find(all_drawn(report)) != std::string::npos) << console_lines(seen.err);
  EXPECT_EQ(console_lines(seen.err), "");
}

TEST(DrawingTest, NamesThatLookLikeTagsAndExpressionsAreDrawnAsTheyAre) {
  if (!is_installed("chromium")) GTEST_SKIP() << "chromium is not installed";
  const Folder folder;
  auto input = sample_input({}, 2);
  for (auto& cell : input.cells) cell.cell.name = "</script><b>\"it's\" \\" + cell.cell.name;
  const auto report = make_report(input);
  write_text(folder.path() / "report.html", report.html);
  const auto seen = run_command(folder, chromium("report.html"));
  EXPECT_TRUE(seen.out.find(all_drawn(report)) != std::string::npos) << console_lines(seen.err);
  EXPECT_EQ(console_lines(seen.err), "");
}

TEST(DrawingTest, EveryScriptIsDrawnByGnuplotWithoutAWarning) {
  if (!is_installed("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  const Folder folder;
  for (const auto& figure : make_report(sample_input({}, 3)).figures) {
    write_text(folder.path() / (figure.name + ".csv"), figure.csv);
    write_text(folder.path() / (figure.name + ".gp"), figure.gnuplot);
    const auto drawn = run_command(folder, "gnuplot " + figure.name + ".gp");
    EXPECT_EQ(drawn.exit_code, 0) << figure.name;
    EXPECT_EQ(drawn.err, "") << figure.name;
    EXPECT_GT(std::filesystem::file_size(folder.path() / (figure.name + ".svg")), 4000U) << figure.name;
  }
}

}  // namespace
}  // namespace proffer::study
