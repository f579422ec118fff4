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

constexpr std::array kFigures{Entry{"locality-by-job-size", reporting::locality::draw},
                              Entry{"delay-sensitivity", reporting::delay::draw},
                              Entry{"response-cdf", reporting::response::draw},
                              Entry{"slowdown-cdf", reporting::response::draw_slowdown},
                              Entry{"speed-up-by-bin", reporting::speedup::draw},
                              Entry{"share-over-time", reporting::share::draw},
                              Entry{"jain-over-time", reporting::jain::draw},
                              Entry{"decline-reasons", reporting::offers::draw},
                              Entry{"slot-gantt", reporting::gantt::draw},
                              Entry{"utilisation-over-time", reporting::utilisation::draw}};

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
