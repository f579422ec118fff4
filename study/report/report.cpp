#include "proffer/study/report.hpp"

#include <algorithm>
#include <array>

#include "study/report/figures.hpp"
#include "study/report/page.hpp"

namespace proffer::study {
namespace {

using reporting::Drawing;

struct Entry {
  const char* name;
  Drawing (*draw)(const ReportInput&);
};

constexpr std::array kFigures{Entry{"locality-by-job-size", reporting::draw_locality},
                              Entry{"delay-sensitivity", reporting::draw_delay},
                              Entry{"response-cdf", reporting::draw_response},
                              Entry{"slowdown-cdf", reporting::draw_slowdown},
                              Entry{"speed-up-by-bin", reporting::draw_speedup},
                              Entry{"share-over-time", reporting::draw_share},
                              Entry{"jain-over-time", reporting::draw_jain},
                              Entry{"decline-reasons", reporting::draw_offers},
                              Entry{"slot-gantt", reporting::draw_gantt},
                              Entry{"utilisation-over-time", reporting::draw_utilisation}};

bool wanted(const ReportInput& input, const std::string& name) {
  const auto& names = input.settings.figures;
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

const std::vector<std::string>& report_figures() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& figure : kFigures) all.emplace_back(figure.name);
    return all;
  }();
  return names;
}

Report make_report(const ReportInput& input) {
  Report report;
  for (const auto& figure : kFigures) {
    if (!wanted(input, figure.name)) continue;
    auto drawing = figure.draw(input);
    if (auto* drawn = std::get_if<ReportFigure>(&drawing)) {
      report.figures.push_back(std::move(*drawn));
    } else {
      report.left_out.push_back(std::get<ReportGap>(std::move(drawing)));
    }
  }
  report.html = reporting::page_html(input, report.figures, report.left_out);
  return report;
}

}  // namespace proffer::study
