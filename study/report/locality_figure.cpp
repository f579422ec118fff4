#include <map>

#include "study/report/bins.hpp"
#include "study/report/cells.hpp"
#include "study/report/figures.hpp"
#include "study/report/gnuplot.hpp"
#include "study/report/spec.hpp"

namespace proffer::study::reporting {
namespace locality {  // all figures are compiled as one source
namespace {

constexpr const char* kName = "locality-by-job-size";
constexpr const char* kTitle = "Locality by job size";
constexpr const char* kNode = "node-local";
constexpr const char* kNear = "node- or rack-local";
constexpr std::size_t kMostCells = 6;

struct Launches {
  double node = 0;
  double rack = 0;
  double all = 0;
};

using BySize = std::map<double, Launches>;

BySize launches_of(const RunResult& run, const SizeClasses& classes) {
  BySize sizes;
  for (const auto& job : run.jobs) {
    const double all = job.node_local + job.rack_local + job.other_local;
    if (!job.counted || all == 0) continue;
    auto& size = sizes[classes.size_of(job)];
    size.node += job.node_local;
    size.rack += job.rack_local;
    size.all += all;
  }
  return sizes;
}

struct Shares {
  std::vector<double> node;  // one a seed
  std::vector<double> near;
};

std::map<double, Shares> shares_of(const ReportCell& cell, const SizeClasses& classes) {
  std::map<double, Shares> shares;
  for (const auto& run : cell.runs) {
    for (const auto& [size, launches] : launches_of(run, classes)) {
      shares[size].node.push_back(launches.node / launches.all);
      shares[size].near.push_back((launches.node + launches.rack) / launches.all);
    }
  }
  return shares;
}

constexpr const char* kLines = R"vl({
  "facet": {"column": {"field": "level", "type": "nominal", "sort": "$levels", "title": null}},
  "spec": {
    "width": 430, "height": 280,
    "encoding": {
      "x": {"field": "maps", "type": "quantitative", "title": "maps per job",
            "scale": {"type": "log", "nice": false, "padding": 12},
            "axis": {"values": "$sizes", "format": ",.0f", "labelOverlap": "greedy", "grid": false}},
      "color": {"field": "cell", "type": "nominal", "scale": "$colours", "legend": "$legend"}
    },
    "layer": [
      {"mark": {"type": "rule", "opacity": 0.6, "clip": true},
       "encoding": {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}},
      {"mark": {"type": "line", "strokeWidth": 1.8},
       "encoding": {"y": {"field": "share", "type": "quantitative"}}},
      {"mark": {"type": "point", "filled": true, "size": 55, "opacity": 1},
       "encoding": {
         "y": {"field": "share", "type": "quantitative", "title": "launches with a preference (%)",
               "scale": {"domain": [0, 1]}, "axis": {"format": ".0%"}},
         "shape": {"field": "cell", "type": "nominal", "scale": {"domain": "$cells"}, "legend": "$legend"},
         "tooltip": [{"field": "cell"}, {"field": "maps"},
                     {"field": "share", "type": "quantitative", "format": ".2%"},
                     {"field": "low", "type": "quantitative", "format": ".2%"},
                     {"field": "high", "type": "quantitative", "format": ".2%"}]}}
    ]
  }
})vl";

constexpr const char* kBars = R"vl({
  "width": 700, "height": {"step": 30},
  "encoding": {
    "y": {"field": "cell", "type": "nominal", "sort": "$cells", "title": null, "axis": {"labelLimit": 320}}
  },
  "layer": [
    {"transform": [{"filter": "datum.level !== 'node-local'"}],
     "mark": {"type": "bar", "height": 18, "color": "#0072B2"},
     "encoding": {
       "x": {"field": "share", "type": "quantitative", "title": "launches with a preference (%)", "stack": null,
             "scale": {"domain": [0, 1]}, "axis": {"format": ".0%"}},
       "opacity": {"field": "level", "type": "ordinal", "sort": "$levels",
                   "scale": {"type": "ordinal", "domain": "$levels", "range": [1, 0.4]},
                   "legend": {"title": null, "orient": "bottom", "symbolFillColor": "#0072B2"}}}},
    {"transform": [{"filter": "datum.level === 'node-local'"}],
     "mark": {"type": "bar", "height": 18, "color": "#0072B2"},
     "encoding": {
       "x": {"field": "share", "type": "quantitative", "title": "launches with a preference (%)", "stack": null,
             "scale": {"domain": [0, 1]}, "axis": {"format": ".0%"}},
       "opacity": {"field": "level", "type": "ordinal", "sort": "$levels",
                   "scale": {"type": "ordinal", "domain": "$levels", "range": [1, 0.4]},
                   "legend": {"title": null, "orient": "bottom", "symbolFillColor": "#0072B2"}}}},
    {"transform": [{"filter": "datum.level === 'node-local'"}],
     "mark": {"type": "rule", "color": "currentColor"},
     "encoding": {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}}}
  ]
})vl";

Table table_of(const Choice& choice, const SizeClasses& classes) {
  Table table({{"cell", false}, {"level", false}, {"maps"}, {"share"}, {"low"}, {"high"}});
  for (const auto* level : {kNode, kNear}) {
    for (const auto* cell : choice.cells) {
      for (const auto& [size, shares] : shares_of(*cell, classes)) {
        const auto share = *estimate(level == kNode ? shares.node : shares.near);
        table.add({label_of(*cell), std::string(level), size, share.mean, low(share), high(share)});
      }
    }
  }
  return table;
}

std::string gnuplot_of(const Choice& choice, bool one_size) {
  std::vector<GnuplotPanel> panels;
  for (const auto* level : {kNode, kNear}) {
    GnuplotPanel panel{level,
                       "maps per job",
                       "share of launches with a preference",
                       {"set yrange [0:1]", one_size ? "unset logscale x" : "set logscale x"}};
    for (const auto* cell : choice.cells) {
      panel.curves.push_back(gnuplot_curve(kName, {{"cell", label_of(*cell)}, {"level", level}},
                                           "column(\"maps\")", "\"share\":\"low\":\"high\"", "yerrorlines",
                                           label_of(*cell)));
    }
    panels.push_back(std::move(panel));
  }
  return gnuplot_script(kName, kTitle, panels, 2);
}

formats::JsonNode sizes_of(const Choice& choice, const SizeClasses& classes) {
  std::map<double, bool> seen;
  for (const auto* cell : choice.cells) {
    for (const auto& [size, shares] : shares_of(*cell, classes)) seen[size] = true;
  }
  auto sizes = formats::JsonNode::array();
  for (const auto& [size, yes] : seen) sizes.items.emplace_back(size);
  return sizes;
}

}  // namespace
}  // namespace locality

Drawing draw_locality(const ReportInput& input) {
  using namespace locality;
  const auto choice = choose_cells(input, kMostCells);
  const SizeClasses classes(input);
  const auto table = table_of(choice, classes);
  if (table.empty()) return ReportGap{kName, kTitle, "no launch had a preference for a node."};
  const auto sizes = sizes_of(choice, classes);
  const bool one_size = sizes.items.size() == 1;
  const auto labels = labels_of(choice);
  const Holes holes{{"$cells", json_array(labels)},
                    {"$colours", colour_scale(labels, colours_of(input, choice))},
                    {"$legend", legend_for(labels)},
                    {"$levels", json_array({kNode, kNear})},
                    {"$sizes", sizes}};
  std::string what = one_size
                         ? "All jobs are of one size. The dark bar is the share of launches on a node that "
                           "holds the data, the whole bar that of launches at least in its rack. "
                         : "The share of launches near their data, over the launches that had a "
                           "preference; many different sizes are put together in classes. ";
  return ReportFigure{kName,
                      one_size ? "Locality" : kTitle,
                      what + average_caption(choice),
                      spec_text(one_size ? kBars : kLines, holes, table),
                      table.csv(),
                      gnuplot_of(choice, one_size)};
}

}  // namespace proffer::study::reporting
