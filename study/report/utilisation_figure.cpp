#include <algorithm>

#include "study/report/cells.hpp"
#include "study/report/figures.hpp"
#include "study/report/gnuplot.hpp"
#include "study/report/spec.hpp"
#include "study/report/timeline.hpp"

namespace proffer::study::reporting {
namespace utilisation {  // all figures are compiled as one source
namespace {

constexpr const char* kName = "utilisation-over-time";
constexpr const char* kTitle = "Utilisation over time";
constexpr const char* kJobs = "jobs submitted and not finished";
constexpr std::size_t kMostCells = 4;
constexpr std::size_t kPoints = 160;

/// Returns how many slots are busy: a task holds its slot from its placement to its end.
Timeline busy_slots(const RunResult& run, const std::string& kind) {
  Timeline timeline(run.run_seconds, kPoints);
  for (const auto& task : run.tasks) {
    if (task.kind == kind) timeline.add(task.placed, task.ended.value_or(run.run_seconds), 1);
  }
  return timeline;
}

Timeline jobs_present(const RunResult& run) {
  Timeline timeline(run.run_seconds, kPoints);
  for (const auto& job : run.jobs) timeline.add(job.submitted, job.finished.value_or(run.run_seconds), 1);
  return timeline;
}

constexpr const char* kSpec = R"vl({
  "facet": {"field": "panel", "type": "nominal", "sort": "$panels", "title": null},
  "columns": 1,
  "spec": {
    "width": 900, "height": 160,
    "mark": {"type": "line", "strokeWidth": 1.5},
    "encoding": {
      "x": {"field": "$time", "type": "quantitative", "title": "$time_title", "scale": {"nice": false},
            "axis": {"grid": false, "tickCount": 10}},
      "y": {"field": "value", "type": "quantitative", "title": "number", "axis": {"tickCount": 5}},
      "color": {"field": "cell", "type": "nominal", "scale": "$colours", "legend": "$legend"},
      "strokeDash": {"field": "cell", "type": "nominal", "scale": "$dashes", "legend": "$legend"}
    }
  },
  "resolve": {"scale": {"y": "independent"}}
})vl";

}  // namespace
}  // namespace utilisation

Drawing draw_utilisation(const ReportInput& input) {
  using namespace utilisation;
  auto choice = choose_cells(input, kMostCells);
  std::erase_if(choice.cells, [](const auto* cell) { return cell->runs.empty(); });
  double end = 0;
  for (const auto* cell : choice.cells) end = std::max(end, cell->runs.front().run_seconds);
  if (end <= 0) return ReportGap{kName, kTitle, "no run took any time."};
  const auto unit = time_unit_for(end);
  const auto slots = "busy " + input.kind + " slots";
  Table table({{"panel", false}, {"cell", false}, {unit.column()}, {"value"}});
  const auto add = [&](const std::string& panel, const ReportCell& cell, const Timeline& timeline) {
    for (std::size_t i = 0; i < timeline.size(); ++i) {
      table.add({panel, label_of(cell), timeline.middle(i) / unit.seconds, timeline.mean(i)});
    }
  };
  std::vector<std::string> panels;
  const bool tasks = std::any_of(choice.cells.begin(), choice.cells.end(),
                                 [](const auto* cell) { return !cell->runs.front().tasks.empty(); });
  if (tasks) panels.push_back(slots);
  panels.emplace_back(kJobs);
  for (const auto* cell : choice.cells) {
    if (tasks) add(slots, *cell, busy_slots(cell->runs.front(), input.kind));
    add(kJobs, *cell, jobs_present(cell->runs.front()));
  }
  const auto labels = labels_of(choice);
  std::vector<GnuplotPanel> drawn;
  for (const auto& name : panels) {
    GnuplotPanel panel{name, unit.title(), name, {"set yrange [0:*]"}};
    for (const auto& label : labels) {
      panel.curves.push_back(gnuplot_curve(kName, {{"panel", name}, {"cell", label}},
                                           "column(\"" + unit.column() + "\")", "\"value\"", "lines", label));
    }
    drawn.push_back(std::move(panel));
  }
  const Holes holes{{"$panels", json_array(panels)},
                    {"$time", unit.column()},
                    {"$time_title", unit.title()},
                    {"$colours", colour_scale(labels, colours_of(input, choice))},
                    {"$dashes", dash_scale(labels, colours_of(input, choice))},
                    {"$legend", legend_for(labels, Symbol::line)}};
  return ReportFigure{kName,
                      kTitle,
                      "Slots that held a task, and jobs in the system. Means over " +
                          std::to_string(kPoints) + " equal intervals. " + single_caption(choice),
                      spec_text(kSpec, holes, table),
                      table.csv(),
                      gnuplot_script(kName, kTitle, drawn)};
}

}  // namespace proffer::study::reporting
