#include <algorithm>

#include "study/report/cells.hpp"
#include "study/report/figures.hpp"
#include "study/report/gnuplot.hpp"
#include "study/report/groups.hpp"
#include "study/report/lanes.hpp"
#include "study/report/spec.hpp"
#include "study/report/timeline.hpp"

namespace proffer::study::reporting {
namespace gantt {  // all figures are compiled as one source
namespace {

constexpr const char* kName = "slot-gantt";
constexpr const char* kTitle = "Slots over time";
constexpr std::size_t kMostCells = 2;
constexpr std::size_t kMostMarks = 20'000;  // what a browser draws at once; over all cells
constexpr std::size_t kMostLanes = 420;
constexpr std::int64_t kHeight = 520;

using Layouts = std::vector<std::vector<LaidTask>>;

std::string locality_name(Locality locality) {
  if (locality == Locality::node) return "node-local";
  return locality == Locality::rack ? "rack-local" : "elsewhere";
}

struct Drawn {
  std::size_t marks = 0;
  std::size_t tasks = 0;  // of the agents that are drawn
  double until = 0;       // seconds; where it was cut
};

/// The first tasks of a cell, up to its part of the marks.
Drawn add_tasks(Table& table, const ReportCell& cell, std::size_t index, const std::vector<LaidTask>& laid,
                const LaneAxis& axis, const Groups& groups, const TimeUnit& unit, std::size_t most) {
  Drawn drawn;
  const double end = cell.runs.front().run_seconds;
  for (const auto& each : laid) {
    const auto& task = *each.task;
    if (!axis.holds(task)) continue;
    if (++drawn.tasks > most) continue;
    ++drawn.marks;
    drawn.until = task.placed;
    table.add({static_cast<double>(index), static_cast<double>(axis.lane_of(each)),
               task.placed / unit.seconds, task.ended.value_or(end) / unit.seconds, groups.of(task.framework),
               task.preferred ? locality_name(task.locality) : "no preference"});
  }
  return drawn;
}

constexpr const char* kSpec = R"vl({
  "facet": {"field": "cell", "type": "ordinal", "title": null, "header": {"labelExpr": "$cell_names"}},
  "columns": 1,
  "spec": {
    "width": 860, "height": "$height",
    "transform": [{"calculate": "datum.lane + 0.92", "as": "lane_end"}],
    "mark": {"type": "rect"},
    "encoding": {
      "x": {"field": "start", "type": "quantitative", "title": "$time_title", "scale": {"nice": false},
            "axis": {"grid": false, "tickCount": 10}},
      "x2": {"field": "end"},
      "y": {"field": "lane", "type": "quantitative", "title": "$lanes_title",
            "scale": {"domain": "$lane_range", "nice": false, "reverse": true},
            "axis": {"values": "$lane_ticks", "labelExpr": "$agent_names", "labelLimit": 110, "grid": false}},
      "y2": {"field": "lane_end"},
      "color": {"field": "group", "type": "nominal", "scale": "$colours", "legend": "$legend"},
      "opacity": {"field": "locality", "type": "ordinal", "scale": "$opacities",
                  "legend": {"title": null, "orient": "top", "columns": 4, "symbolFillColor": "#0072B2",
                             "symbolStrokeWidth": 0}}
    }
  },
  "resolve": {"scale": {"x": "independent"}}
})vl";

/// A Vega expression that looks texts up by the number of a tick.
std::string lookup(const std::vector<std::pair<std::size_t, std::string>>& texts) {
  std::string map = "{";
  for (const auto& [number, text] : texts) {
    map += (map.size() > 1 ? ", " : "") + ("'" + std::to_string(number) + "': ") +
           formats::dump_json(formats::JsonNode(text), -1);
  }
  return map + "}[datum.value]";
}

std::string gnuplot_of(const Choice& choice, const LaneAxis& axis, const Groups& groups,
                       const TimeUnit& unit) {
  std::string ticks = "set ytics (";
  for (const auto& [lane, agent] : axis.ticks()) {
    ticks += (ticks.back() == '(' ? "" : ", ") + gnuplot_quoted(agent) + " " + std::to_string(lane);
  }
  std::vector<GnuplotPanel> panels;
  for (std::size_t i = 0; i < choice.cells.size(); ++i) {
    GnuplotPanel panel{label_of(*choice.cells[i]),
                       unit.title(),
                       "slots by agent",
                       {ticks + ")", "set yrange [" + std::to_string(axis.lanes()) + ":0]",
                        "set style fill solid 0.9 noborder"}};
    for (const auto& group : groups.names()) {
      panel.curves.push_back(
          gnuplot_curve(kName, {{"cell", std::to_string(i)}, {"group", group}}, "column(\"start\")",
                        "\"lane\":\"start\":\"end\":\"lane\":(column(\"lane\")+0.92)", "boxxyerror", group));
    }
    panels.push_back(std::move(panel));
  }
  return gnuplot_script(kName, kTitle, panels);
}

std::string cut_text(const Choice& choice, const std::vector<Drawn>& drawn, const LaneAxis& axis,
                     const TimeUnit& unit) {
  std::string text;
  if (axis.agents_left_out() > 0) {
    text += "Cut: the first " + std::to_string(axis.agents()) + " of " +
            std::to_string(axis.agents() + axis.agents_left_out()) + " agents. ";
  }
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i].marks == drawn[i].tasks) continue;
    text += "Cut: the first " + std::to_string(drawn[i].marks) + " of " + std::to_string(drawn[i].tasks) +
            " tasks of " + label_of(*choice.cells[i]) + ", placed until " +
            short_text(drawn[i].until / unit.seconds) + " " + unit.name + ". ";
  }
  return text;
}

Holes holes_for(const Choice& choice, const LaneAxis& axis, const Groups& groups, const TimeUnit& unit) {
  using formats::JsonNode;
  std::vector<std::pair<std::size_t, std::string>> cells;
  for (std::size_t i = 0; i < choice.cells.size(); ++i) cells.emplace_back(i, label_of(*choice.cells[i]));
  auto lanes = JsonNode::array();
  for (const auto& [lane, agent] : axis.ticks()) lanes.items.emplace_back(static_cast<std::int64_t>(lane));
  const std::vector<std::string> localities{"node-local", "rack-local", "elsewhere", "no preference"};
  auto opacities = JsonNode::object({{"type", "ordinal"},
                                     {"domain", json_array(localities)},
                                     {"range", JsonNode::array({0.95, 0.55, 0.25, 0.75})}});
  return {{"$cell_names", lookup(cells)},
          {"$height", std::min<std::int64_t>(kHeight, static_cast<std::int64_t>(axis.lanes()) * 14)},
          {"$time_title", unit.title()},
          {"$lanes_title", "slots by agent"},
          {"$lane_range", JsonNode::array({std::int64_t{0}, static_cast<std::int64_t>(axis.lanes())})},
          {"$lane_ticks", lanes},
          {"$agent_names", lookup(axis.ticks())},
          {"$colours", colour_scale(groups.names())},
          {"$opacities", opacities},
          {"$legend", legend_for(groups.names())}};
}

}  // namespace
}  // namespace gantt

Drawing draw_gantt(const ReportInput& input) {
  using namespace gantt;
  auto choice = choose_cells(input, kMostCells);
  std::erase_if(choice.cells,
                [](const auto* cell) { return cell->runs.empty() || cell->runs.front().tasks.empty(); });
  Layouts layouts;
  double end = 0;
  for (const auto* cell : choice.cells) {
    layouts.push_back(lay_out(cell->runs.front(), input.kind));
    end = std::max(end, cell->runs.front().run_seconds);
  }
  const LaneAxis axis(layouts, kMostLanes);
  if (axis.lanes() == 0) return ReportGap{kName, kTitle, "the results hold no rows of tasks."};
  const Groups groups(choice.cells);
  const auto unit = time_unit_for(end);
  Table table({{"cell"}, {"lane"}, {"start"}, {"end"}, {"group", false}, {"locality", false}});
  std::vector<Drawn> drawn;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    drawn.push_back(
        add_tasks(table, *choice.cells[i], i, layouts[i], axis, groups, unit, kMostMarks / layouts.size()));
  }
  return ReportFigure{kName,
                      kTitle,
                      "Each bar is a task on its slot, from its placement to its end, by framework; the "
                      "fainter, the farther from its data. " +
                          cut_text(choice, drawn, axis, unit) + single_caption(choice),
                      spec_text(kSpec, holes_for(choice, axis, groups, unit), table),
                      table.csv(),
                      gnuplot_of(choice, axis, groups, unit)};
}

}  // namespace proffer::study::reporting
