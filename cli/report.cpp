// The command `proffer report`.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/experiment_table.hpp"
#include "cli/output.hpp"
#include "cli/study_commands.hpp"
#include "proffer/study/report.hpp"

namespace proffer::cli {

namespace {

namespace fs = std::filesystem;

Result<> write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (file.fail()) return Error{ErrorCode::io, fmt::format("{} cannot be written", path.string())};
  return {};
}

Result<> write_figure(const fs::path& folder, const study::ReportFigure& figure) {
  if (auto done = write_file(folder / (figure.name + ".vl.json"), figure.spec); !done) return done;
  if (auto done = write_file(folder / (figure.name + ".csv"), figure.csv); !done) return done;
  return write_file(folder / (figure.name + ".gp"), figure.gnuplot);
}

Result<> write_report(const fs::path& page, const study::Report& report) {
  const auto figures = page.parent_path() / "figures";
  std::error_code failed;
  fs::create_directories(figures, failed);
  if (failed) {
    return Error{ErrorCode::io, fmt::format("{} cannot be made: {}", figures.string(), failed.message())};
  }
  for (const auto& figure : report.figures) {
    if (auto done = write_figure(figures, figure); !done) return done;
  }
  return write_file(page, report.html);
}

int print_tables(const std::string& dir) {
  const study::ResultsFolder folder(dir);
  const auto experiment = folder.experiment();
  if (!experiment) return report(experiment.error());
  const auto runs = folder.read_summaries(*experiment);
  if (!runs) return report(runs.error());
  const auto summary = study::summarize(*experiment, *runs);
  std::fputs((cells_table(*experiment, summary) + paper_table(summary)).c_str(), stdout);
  return kOk;
}

}  // namespace

int report(const ReportOptions& options) {
  if (options.text) return print_tables(options.dir);
  const auto input = study::read_report_input(options.dir, PROFFER_VERSION);
  if (!input) return report(input.error());
  const auto made = study::make_report(*input);
  const auto page = options.output.empty() ? fs::path(options.dir) / "report.html" : fs::path(options.output);
  if (auto done = write_report(page, made); !done) return report(done.error());
  for (const auto& gap : made.left_out) {
    std::fprintf(stderr, "left out: %s, since %s\n", gap.name.c_str(), gap.why.c_str());
  }
  std::printf("%s: %zu figures, %s\n", page.c_str(), made.figures.size(),
              human_bytes(made.html.size()).c_str());
  return kOk;
}

}  // namespace proffer::cli
