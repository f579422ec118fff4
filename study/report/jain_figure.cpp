#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "proffer/study/jain.hpp"
#include "study/report/cells.hpp"
#include "study/report/figures.hpp"
#include "study/report/gnuplot.hpp"
#include "study/report/spec.hpp"
#include "study/report/timeline.hpp"

namespace proffer::study::reporting {
namespace jain {  // all figures are compiled as one source
namespace {

constexpr const char* kName = "jain-over-time";
constexpr const char* kTitle = "Fairness over time";
constexpr std::size_t kMostCells = 4;
constexpr std::size_t kPoints = 160;

/// Jain's index of the frameworks in need, kept up to date row by row.
class JainNow {
 public:
  void apply(const ShareRow& row) {
    const auto owed = row.demand < 0 ? row.fair : std::min(row.fair, static_cast<double>(row.demand));
    if (owed > 0) {
      served_[row.framework] = static_cast<double>(row.running) / owed;
    } else {
      served_.erase(row.framework);
    }
  }
  /// None while fewer than two are in need, or none of them has anything.
  std::optional<double> value() const {
    Jain jain;
    for (const auto& [framework, served] : served_) jain.add(served);
    return jain.index();
  }

 private:
  std::map<std::string, double> served_;  // running / owed, of those in need
};

Timeline jain_of(const RunResult& run, const std::string& kind) {
  Timeline timeline(run.run_seconds, kPoints);
  JainNow jain;
  double since = 0;
  const auto until = [&](double time) {
    if (const auto value = jain.value(); value && time > since) timeline.add(since, time, *value);
    since = time;
  };
  for (const auto& row : run.shares) {
    if (row.kind != kind) continue;
    until(row.time);
    jain.apply(row);
  }
  until(run.run_seconds);
  return timeline;
}

constexpr const char* kSpec = R"vl({
  "width": 900, "height": 220,
  "mark": {"type": "line", "strokeWidth": 1.5, "invalid": "break-paths-show-path-domains"},
  "encoding": {
    "x": {"field": "$time", "type": "quantitative", "title": "$time_title", "scale": {"nice": false},
          "axis": {"grid": false, "tickCount": 10}},
    "y": {"field": "jain", "type": "quantitative", "title": "Jain's index (1 = fair)",
          "scale": {"domain": [0, 1]}},
    "color": {"field": "cell", "type": "nominal", "scale": "$colours", "legend": "$legend"},
    "strokeDash": {"field": "cell", "type": "nominal", "scale": "$dashes", "legend": "$legend"}
  }
})vl";

}  // namespace
}  // namespace jain

Drawing draw_jain(const ReportInput& input) {
  using namespace jain;
  auto choice = choose_cells(input, kMostCells);
  std::erase_if(choice.cells, [](const auto* cell) { return cell->runs.empty(); });
  double end = 0;
  for (const auto* cell : choice.cells) end = std::max(end, cell->runs.front().run_seconds);
  const auto unit = time_unit_for(end);
  Table table({{"cell", false}, {unit.column()}, {"jain"}});
  bool any = false;
  for (const auto* cell : choice.cells) {
    const auto& run = cell->runs.front();
    if (run.shares.empty() || run.run_seconds <= 0) continue;
    const auto timeline = jain_of(run, input.kind);
    for (std::size_t i = 0; i < kPoints; ++i) {
      const auto value = timeline.covered_mean(i);
      any |= value.has_value();
      table.add({label_of(*cell), timeline.middle(i) / unit.seconds,
                 value.value_or(std::numeric_limits<double>::quiet_NaN())});
    }
  }
  if (!any) return ReportGap{kName, kTitle, "at no time were two frameworks known to be in need."};
  const auto labels = labels_of(choice);
  GnuplotPanel panel{"", unit.title(), "Jain's index", {"set yrange [0:1]"}};
  for (const auto& label : labels) {
    panel.curves.push_back(gnuplot_curve(kName, {{"cell", label}}, "column(\"" + unit.column() + "\")",
                                         "\"jain\"", "lines", label));
  }
  const Holes holes{{"$time", unit.column()},
                    {"$time_title", unit.title()},
                    {"$colours", colour_scale(labels, colours_of(input, choice))},
                    {"$dashes", dash_scale(labels, colours_of(input, choice))},
                    {"$legend", legend_for(labels, Symbol::line)}};
  return ReportFigure{
      kName,
      kTitle,
      "Jain's index over running / min(fair share, demand) of the frameworks with demand for " + input.kind +
          " slots; a gap while fewer than two have any. Means over " + std::to_string(kPoints) +
          " equal intervals. " + single_caption(choice),
      spec_text(kSpec, holes, table),
      table.csv(),
      gnuplot_script(kName, kTitle, {panel})};
}

}  // namespace proffer::study::reporting
