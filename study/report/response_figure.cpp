#include <algorithm>
#include <functional>
#include <map>

#include "study/report/bins.hpp"
#include "study/report/cells.hpp"
#include "study/report/figures.hpp"
#include "study/report/gnuplot.hpp"
#include "study/report/spec.hpp"

namespace proffer::study::reporting {
namespace response {  // all figures are compiled as one source
namespace {

constexpr const char* kAll = "all jobs";
constexpr std::size_t kMostCells = 6;
constexpr std::size_t kPoints = 100;  // of a curve; finer steps are not seen

struct Subject {
  const char* name;
  const char* title;
  const char* axis;
  const char* sentence;
  const char* missing;
  std::function<std::optional<double>(const JobRow&)> value;
};

using Curves = std::map<std::string, std::map<std::string, std::vector<double>>>;  // bin, cell

Curves curves_of(const Choice& choice, const JobBins& bins, const Subject& subject) {
  Curves curves;
  for (const auto* cell : choice.cells) {
    for (const auto& run : cell->runs) {
      for (const auto* job : finished_jobs(run)) {
        const auto value = subject.value(*job);
        if (!value || *value <= 0) continue;
        curves[bins.name_of(*job)][label_of(*cell)].push_back(*value);
        curves[kAll][label_of(*cell)].push_back(*value);
      }
    }
  }
  return curves;
}

/// Steps of the distribution function, `kPoints` of them at most.
void add_curve(Table& table, const std::string& bin, const std::string& cell, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = values.size();
  table.add({bin, cell, values.front(), 0.0});
  const auto points = std::min(n, kPoints);
  for (std::size_t k = 1; k <= points; ++k) {
    const auto rank = k * n / points;  // how many are at most this large
    table.add({bin, cell, values[rank - 1], static_cast<double>(rank) / static_cast<double>(n)});
  }
}

constexpr const char* kSpec = R"vl({
  "facet": {"field": "bin", "type": "nominal", "sort": "$bins", "title": null},
  "columns": "$columns",
  "spec": {
    "width": "$width", "height": "$height",
    "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 1.8},
    "encoding": {
      "x": {"field": "value", "type": "quantitative", "title": "$axis",
            "scale": {"type": "log", "nice": false, "padding": 6},
            "axis": {"format": "~s", "tickCount": 5, "labelOverlap": "greedy", "grid": false}},
      "y": {"field": "share_of_jobs", "type": "quantitative", "title": "share of jobs (%)",
            "scale": {"domain": [0, 1]}, "axis": {"format": ".0%", "tickCount": 5}},
      "color": {"field": "cell", "type": "nominal", "scale": "$colours", "legend": "$legend"},
      "strokeDash": {"field": "cell", "type": "nominal", "scale": "$dashes", "legend": "$legend"},
      "order": {"field": "share_of_jobs", "type": "quantitative"}
    }
  },
  "resolve": {"scale": {"x": "independent"}, "axis": {"x": "independent"}}
})vl";

std::string gnuplot_of(const Subject& subject, const std::vector<std::string>& bins,
                       const std::vector<std::string>& labels) {
  std::vector<GnuplotPanel> panels;
  for (const auto& bin : bins) {
    GnuplotPanel panel{bin, subject.axis, "share of jobs", {"set logscale x", "set yrange [0:1]"}};
    for (const auto& label : labels) {
      panel.curves.push_back(gnuplot_curve(subject.name, {{"bin", bin}, {"cell", label}}, "column(\"value\")",
                                           "\"share_of_jobs\"", "steps", label));
    }
    panels.push_back(std::move(panel));
  }
  return gnuplot_script(subject.name, subject.title, panels, bins.size() == 1 ? 1 : 3);
}

Drawing draw(const ReportInput& input, const Subject& subject) {
  using formats::JsonNode;
  const auto choice = choose_cells(input, kMostCells);
  const JobBins bins(input);
  const auto curves = curves_of(choice, bins, subject);
  if (curves.empty()) return ReportGap{subject.name, subject.title, subject.missing};

  Table table({{"bin", false}, {"cell", false}, {"value"}, {"share_of_jobs"}});
  std::vector<std::string> facets{kAll};
  if (bins.names().size() > 1) {
    for (const auto& bin : bins.names()) {
      if (curves.contains(bin)) facets.push_back(bin);
    }
  }
  const auto labels = labels_of(choice);
  for (const auto& facet : facets) {
    for (const auto& label : labels) {
      const auto& of_bin = curves.at(facet);
      if (const auto found = of_bin.find(label); found != of_bin.end()) {
        add_curve(table, facet, label, found->second);
      }
    }
  }
  const bool single = facets.size() == 1;
  const Holes holes{{"$bins", json_array(facets)},
                    {"$columns", std::int64_t{single ? 1 : 3}},
                    {"$width", std::int64_t{single ? 860 : 262}},
                    {"$height", std::int64_t{single ? 300 : 170}},
                    {"$axis", subject.axis},
                    {"$colours", colour_scale(labels, colours_of(input, choice))},
                    {"$dashes", dash_scale(labels, colours_of(input, choice))},
                    {"$legend", legend_for(labels, Symbol::line)}};
  return ReportFigure{subject.name,
                      subject.title,
                      subject.sentence + std::string(" At most ") + std::to_string(kPoints) +
                          " steps a curve. " + pooled_caption(choice),
                      spec_text(kSpec, holes, table),
                      table.csv(),
                      gnuplot_of(subject, facets, labels)};
}

}  // namespace
}  // namespace response

Drawing draw_response(const ReportInput& input) {
  using namespace response;
  return draw(input, {"response-cdf", "Response time", "response time (s)",
                      "Distribution of finish − submit over the counted jobs that finished.",
                      "no counted job finished.",
                      [](const JobRow& job) -> std::optional<double> { return response_of(job); }});
}

Drawing draw_slowdown(const ReportInput& input) {
  using namespace response;
  return draw(input,
              {"slowdown-cdf", "Slowdown", "slowdown",
               "Distribution of response over the response of the same job alone on the empty cluster.",
               "no job was run alone on the empty cluster.", [](const JobRow& job) -> std::optional<double> {
                 const auto alone = job.reference.alone;
                 if (!alone || *alone <= 0) return {};
                 return response_of(job) / *alone;
               }});
}

}  // namespace proffer::study::reporting
