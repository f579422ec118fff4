#include <algorithm>
#include <map>

#include "study/report/cells.hpp"
#include "study/report/figures.hpp"
#include "study/report/gnuplot.hpp"
#include "study/report/groups.hpp"
#include "study/report/spec.hpp"
#include "study/report/timeline.hpp"

namespace proffer::study::reporting {
namespace share {  // all figures are compiled as one source
namespace {

constexpr const char* kName = "share-over-time";
constexpr const char* kTitle = "Share over time";
constexpr std::size_t kMostCells = 3;
constexpr std::size_t kPoints = 200;

struct Lines {
  Timeline running;
  Timeline fair;
};

using ByGroup = std::map<std::string, Lines>;

/// Returns what each group had and was entitled to. A row holds until the next of the same framework.
ByGroup lines_of(const RunResult& run, const std::string& kind, const Groups& groups) {
  ByGroup lines;
  for (const auto& name : groups.names()) {
    lines.try_emplace(name, Lines{Timeline(run.run_seconds, kPoints), Timeline(run.run_seconds, kPoints)});
  }
  std::map<std::string, const ShareRow*> last;
  const auto close = [&](const ShareRow& row, double until) {
    auto& group = lines.at(groups.of(row.framework));
    group.running.add(row.time, until, static_cast<double>(row.running));
    group.fair.add(row.time, until, row.fair);
  };
  for (const auto& row : run.shares) {
    if (row.kind != kind) continue;
    auto& before = last[row.framework];
    if (before != nullptr) close(*before, row.time);
    before = &row;
  }
  for (const auto& [framework, row] : last) close(*row, run.run_seconds);
  return lines;
}

/// Groups on top of each other, so that each area can be held against its own dashed line.
void add_rows(Table& table, const std::string& cell, const ByGroup& lines, const Groups& groups,
              const TimeUnit& unit) {
  std::vector<double> running(kPoints);
  std::vector<double> fair(kPoints);
  for (const auto& name : groups.names()) {
    const auto& group = lines.at(name);
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double below = running[i];
      running[i] += group.running.mean(i);
      fair[i] += group.fair.mean(i);
      table.add({cell, group.running.middle(i) / unit.seconds, name, running[i] - below, below, running[i],
                 fair[i]});
    }
  }
}

constexpr const char* kSpec = R"vl({
  "facet": {"field": "cell", "type": "nominal", "sort": "$cells", "title": null},
  "columns": 1,
  "spec": {
    "width": 900, "height": 200,
    "encoding": {"x": {"field": "$time", "type": "quantitative", "title": "$time_title",
                       "scale": {"nice": false}, "axis": {"grid": false, "tickCount": 10}}},
    "layer": [
      {"mark": {"type": "area", "opacity": 0.75},
       "encoding": {
         "y": {"field": "below", "type": "quantitative", "title": "$slots"},
         "y2": {"field": "above"},
         "color": {"field": "group", "type": "nominal", "scale": "$colours", "legend": "$legend"}}},
      {"mark": {"type": "line", "color": "currentColor", "strokeDash": [5, 3], "strokeWidth": 1.1},
       "encoding": {
         "y": {"field": "fair_above", "type": "quantitative"},
         "detail": {"field": "group", "type": "nominal"}}}
    ]
  },
  "resolve": {"scale": {"x": "independent"}}
})vl";

std::string gnuplot_of(const Choice& choice, const Groups& groups, const TimeUnit& unit,
                       const std::string& slots) {
  std::vector<GnuplotPanel> panels;
  const auto time = "column(\"" + unit.column() + "\")";
  for (const auto* cell : choice.cells) {
    const auto label = label_of(*cell);
    GnuplotPanel panel{
        label, unit.title(), slots, {"set style fill solid 0.75 noborder", "set yrange [0:*]"}};
    for (const auto& name : groups.names()) {
      panel.curves.push_back(gnuplot_curve(kName, {{"cell", label}, {"group", name}}, time,
                                           "\"below\":\"above\"", "filledcurves", name));
    }
    for (const auto& name : groups.names()) {
      panel.curves.push_back(gnuplot_curve(kName, {{"cell", label}, {"group", name}}, time, "\"fair_above\"",
                                           "lines dashtype 2 lc rgb 'black'", ""));
    }
    panels.push_back(std::move(panel));
  }
  return gnuplot_script(kName, kTitle, panels);
}

}  // namespace
}  // namespace share

Drawing draw_share(const ReportInput& input) {
  using namespace share;
  auto choice = choose_cells(input, kMostCells);
  std::erase_if(choice.cells, [](const auto* cell) { return cell->runs.empty(); });
  double end = 0;
  for (const auto* cell : choice.cells) end = std::max(end, cell->runs.front().run_seconds);
  const Groups groups(choice.cells);
  const auto unit = time_unit_for(end);
  Table table(
      {{"cell", false}, {unit.column()}, {"group", false}, {"slots"}, {"below"}, {"above"}, {"fair_above"}});
  for (const auto* cell : choice.cells) {
    const auto& run = cell->runs.front();
    if (run.shares.empty() || run.run_seconds <= 0) continue;
    add_rows(table, label_of(*cell), lines_of(run, input.kind, groups), groups, unit);
  }
  if (table.empty()) return ReportGap{kName, kTitle, "the results hold no shares over time."};
  const auto slots = "running " + input.kind + " slots";
  const Holes holes{{"$cells", json_array(labels_of(choice))},
                    {"$time", unit.column()},
                    {"$time_title", unit.title()},
                    {"$slots", slots},
                    {"$colours", colour_scale(groups.names())},
                    {"$legend", legend_for(groups.names())}};
  return ReportFigure{kName,
                      kTitle,
                      "Running " + input.kind +
                          " slots by framework, one on top of the other; the dashed lines are the tops that "
                          "their fair shares, "
                          "stacked in the same order, would have. Means over " +
                          std::to_string(kPoints) + " equal intervals. " + single_caption(choice),
                      spec_text(kSpec, holes, table),
                      table.csv(),
                      gnuplot_of(choice, groups, unit, slots)};
}

}  // namespace proffer::study::reporting
