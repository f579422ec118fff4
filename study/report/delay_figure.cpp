#include <algorithm>
#include <map>
#include <set>

#include "study/report/cells.hpp"
#include "study/report/figures.hpp"
#include "study/report/gnuplot.hpp"
#include "study/report/spec.hpp"

namespace proffer::study::reporting {
namespace delay {  // all figures are compiled as one source
namespace {

constexpr const char* kName = "delay-sensitivity";
constexpr const char* kTitle = "Sensitivity to the delay";
constexpr const char* kLocal = "node-local launches (%)";
constexpr const char* kMean = "mean response (s)";
constexpr const char* kTail = "95th percentile of response (s)";
constexpr std::size_t kMostSeries = 8;
constexpr double kWideRange = 30;  // above it, small values need a logarithmic axis to be told apart

struct Swept {
  std::string key;
  std::string name;   // for people
  std::string title;  // with the unit
};

/// The swept key that is a quantity; one that is about waiting before others, then the one of most values.
/// None without two values.
std::optional<Swept> swept_key(const ReportInput& input) {
  std::map<std::string, std::set<double>> values;
  std::map<std::string, Swept> found;
  for (const auto& cell : input.cells) {
    for (const auto& each : cell.cell.values) {
      const auto quantity = quantity_of(each);
      if (!quantity) continue;
      values[each.key].insert(quantity->value);
      const auto unit = quantity->unit.empty() ? "" : " (" + quantity->unit + ")";
      found[each.key] = {each.key, quantity->name, quantity->name + unit};
    }
  }
  const auto rank = [&](const auto& entry) {
    const auto has = [&](const char* word) { return entry.second.name.find(word) != std::string::npos; };
    const std::size_t about_waiting = has("wait") || has("delay") || has("skip") ? 1000 : 0;
    const auto count = values[entry.first].size();
    return count < 2 ? 0 : about_waiting + count;
  };
  const auto best = std::max_element(found.begin(), found.end(),
                                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  if (best == found.end() || rank(*best) == 0) return {};
  return best->second;
}

struct Place {
  std::optional<double> x;  ///< none: the cell has no such quantity
  std::string series;
};

Place place_of(const ReportCell& cell, const Swept& swept) {
  Place place;
  for (const auto& each : cell.cell.values) {
    const auto quantity = each.key == swept.key ? quantity_of(each) : std::nullopt;
    if (quantity) {
      place.x = quantity->value;
    } else {
      place.series += (place.series.empty() ? "" : " ") +
                      (each.key == "cell" ? each.text : std::string(short_key(each.key)) + "=" + each.text);
    }
  }
  if (place.series.empty()) place.series = "by " + swept.name;
  return place;
}

std::optional<double> local_percent(const RunResult& run) {
  double node = 0;
  double all = 0;
  for (const auto& job : run.jobs) {
    if (!job.counted) continue;
    node += job.node_local;
    all += job.node_local + job.rack_local + job.other_local;
  }
  if (all == 0) return {};
  return 100 * node / all;
}

std::optional<double> tail_response(const RunResult& run) {
  std::vector<double> values;
  for (const auto* job : finished_jobs(run)) values.push_back(response_of(*job));
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return quantile(values, 0.95);
}

struct Data {
  Table table{{{"series", false}, {"measure", false}, {"x"}, {"value"}, {"low"}, {"high"}}};
  std::vector<std::string> series;
  std::set<double> xs;
  Choice cells;
  bool has_flat = false;
  bool cut = false;  // not all series are shown
};

void add_rows(Data& data, const std::string& series, double x, const ReportCell& cell) {
  const auto add = [&](const char* measure, const std::optional<Estimate>& value) {
    if (value) data.table.add({series, std::string(measure), x, value->mean, low(*value), high(*value)});
  };
  add(kLocal, over_seeds(cell, local_percent));
  add(kMean, over_seeds(cell, mean_response));
  add(kTail, over_seeds(cell, tail_response));
}

Data data_for(const ReportInput& input, const Swept& swept) {
  Data data;
  std::map<std::string, std::map<double, const ReportCell*>> lines;  // rows of one line in order of x
  std::map<std::string, const ReportCell*> flat;
  for (const auto& cell : input.cells) {
    const auto place = place_of(cell, swept);
    const bool known = lines.contains(place.series) || flat.contains(place.series);
    if (!known && data.series.size() == kMostSeries) {
      data.cut = true;
      continue;
    }
    if (!known) data.series.push_back(place.series);
    data.cells.cells.push_back(&cell);
    if (place.x) {
      lines[place.series][*place.x] = &cell;
      data.xs.insert(*place.x);
    } else {
      flat[place.series] = &cell;
    }
  }
  for (const auto& series : data.series) {
    for (const auto& [x, cell] : lines[series]) add_rows(data, series, x, *cell);
    if (!flat.contains(series)) continue;
    data.has_flat = true;
    for (const double x : {*data.xs.begin(), *data.xs.rbegin()}) add_rows(data, series, x, *flat[series]);
  }
  return data;
}

constexpr const char* kSpec = R"vl({
  "facet": {"column": {"field": "measure", "type": "nominal", "sort": "$measures", "title": null}},
  "spec": {
    "width": 265, "height": 240,
    "encoding": {
      "x": {"field": "x", "type": "quantitative", "title": "$title", "scale": "$scale",
            "axis": {"values": "$values", "format": "~g", "labelOverlap": "greedy", "grid": false}},
      "color": {"field": "series", "type": "nominal", "scale": "$colours", "legend": "$legend"}
    },
    "layer": [
      {"mark": {"type": "rule", "opacity": 0.6},
       "encoding": {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}},
      {"mark": {"type": "line", "strokeWidth": 1.8},
       "encoding": {"y": {"field": "value", "type": "quantitative"}}},
      {"mark": {"type": "point", "filled": true, "size": 55, "opacity": 1},
       "encoding": {
         "y": {"field": "value", "type": "quantitative", "title": null, "scale": {"zero": true}},
         "shape": {"field": "series", "type": "nominal", "scale": {"domain": "$series"}, "legend": "$legend"},
         "tooltip": [{"field": "series"}, {"field": "x", "title": "$setting"}, {"field": "measure"},
                     {"field": "value", "type": "quantitative", "format": ".4~r"},
                     {"field": "low", "type": "quantitative", "format": ".4~r"},
                     {"field": "high", "type": "quantitative", "format": ".4~r"}]}}
    ]
  },
  "resolve": {"scale": {"y": "independent"}}
})vl";

/// Logarithmic for a wide range; with a linear piece next to zero where zero was swept too.
formats::JsonNode scale_for(const std::set<double>& xs) {
  using formats::JsonNode;
  const auto positive = xs.upper_bound(0);
  const bool wide = positive != xs.end() && *xs.rbegin() / *positive > kWideRange;
  auto scale = JsonNode::object();
  if (wide && *xs.begin() > 0) {
    scale.set("type", "log");
  } else if (wide) {
    scale.set("type", "symlog");
    scale.set("constant", *positive);
  }
  scale.set("padding", std::int64_t{12});
  scale.set("nice", false);
  return scale;
}

std::string gnuplot_of(const Data& data, const Swept& swept) {
  std::vector<GnuplotPanel> panels;
  for (const auto* measure : {kLocal, kMean, kTail}) {
    GnuplotPanel panel{
        measure, swept.title, measure, {"set yrange [0:*]", "set offsets graph 0.05, graph 0.05, 0, 0"}};
    for (const auto& series : data.series) {
      panel.curves.push_back(gnuplot_curve(kName, {{"series", series}, {"measure", measure}}, "column(\"x\")",
                                           "\"value\":\"low\":\"high\"", "yerrorlines", series));
    }
    panels.push_back(std::move(panel));
  }
  return gnuplot_script(kName, "Sensitivity to " + swept.name, panels, 3);
}

std::string caption_of(const Data& data, const Swept& swept) {
  return "Locality and response time over " + swept.name + ", counted jobs. " +
         (data.has_flat ? "A cell without that quantity is a flat line. " : "") +
         (data.cut ? "Only the first " + std::to_string(kMostSeries) + " lines are drawn. " : "") +
         average_caption(data.cells);
}

}  // namespace
}  // namespace delay

Drawing draw_delay(const ReportInput& input) {
  using namespace delay;
  const auto swept = swept_key(input);
  if (!swept) return ReportGap{kName, kTitle, "no key with two or more numbers or durations was swept."};
  const auto data = data_for(input, *swept);
  if (data.table.empty()) return ReportGap{kName, kTitle, "no job finished in the cells of the sweep."};
  auto values = formats::JsonNode::array();
  for (const double x : data.xs) values.items.emplace_back(x);
  const Holes holes{{"$measures", json_array({kLocal, kMean, kTail})},
                    {"$title", swept->title},
                    {"$setting", swept->name},
                    {"$scale", scale_for(data.xs)},
                    {"$values", values},
                    {"$series", json_array(data.series)},
                    {"$colours", colour_scale(data.series)},
                    {"$legend", legend_for(data.series)}};
  return ReportFigure{kName,
                      "Sensitivity to " + swept->name,
                      caption_of(data, *swept),
                      spec_text(kSpec, holes, data.table),
                      data.table.csv(),
                      gnuplot_of(data, *swept)};
}

}  // namespace proffer::study::reporting
