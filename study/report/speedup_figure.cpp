#include <algorithm>
#include <map>

#include "study/report/bins.hpp"
#include "study/report/cells.hpp"
#include "study/report/figures.hpp"
#include "study/report/gnuplot.hpp"
#include "study/report/spec.hpp"

namespace proffer::study::reporting {
namespace speedup {  // all figures are compiled as one source
namespace {

constexpr const char* kName = "speed-up-by-bin";
constexpr const char* kTitle = "Speed-up by bin";
constexpr const char* kAll = "all jobs";
constexpr std::size_t kMostCells = 7;  // with the baseline

using MeanByBin = std::map<std::string, double>;

MeanByBin mean_responses(const RunResult& run, const JobBins& bins) {
  std::map<std::string, std::pair<double, double>> sums;  // response, jobs
  for (const auto* job : finished_jobs(run)) {
    for (const auto& bin : {bins.name_of(*job), std::string(kAll)}) {
      sums[bin].first += response_of(*job);
      sums[bin].second += 1;
    }
  }
  MeanByBin means;
  for (const auto& [bin, sum] : sums) means[bin] = sum.first / sum.second;
  return means;
}

/// One ratio a seed that both cells ran.
std::map<std::string, std::vector<double>> ratios(const ReportCell& baseline, const ReportCell& cell,
                                                  const JobBins& bins) {
  std::map<std::string, std::vector<double>> found;
  for (const auto& run : cell.runs) {
    const auto other = std::find_if(baseline.runs.begin(), baseline.runs.end(),
                                    [&](const RunResult& each) { return each.seed == run.seed; });
    if (other == baseline.runs.end()) continue;
    const auto before = mean_responses(*other, bins);
    for (const auto& [bin, mean] : mean_responses(run, bins)) {
      const auto was = before.find(bin);
      if (was != before.end() && mean > 0) found[bin].push_back(was->second / mean);
    }
  }
  return found;
}

constexpr const char* kSpec = R"vl({
  "width": "$width", "height": 280,
  "encoding": {
    "x": {"field": "bin", "type": "nominal", "sort": "$bins", "title": null,
          "axis": {"labelAngle": 0, "labelLimit": 130, "labelOverlap": "greedy"}},
    "xOffset": {"field": "cell", "type": "nominal", "sort": "$cells", "scale": {"domain": "$cells"}}
  },
  "layer": [
    {"mark": {"type": "bar"},
     "encoding": {
       "y": {"field": "speed_up", "type": "quantitative", "title": "$title"},
       "color": {"field": "cell", "type": "nominal", "scale": "$colours", "legend": "$legend"},
       "tooltip": [{"field": "bin"}, {"field": "cell"},
                   {"field": "speed_up", "type": "quantitative", "format": ".3f"},
                   {"field": "low", "type": "quantitative", "format": ".3f"},
                   {"field": "high", "type": "quantitative", "format": ".3f"},
                   {"field": "seeds", "type": "quantitative"}]}},
    {"mark": {"type": "rule", "color": "currentColor"},
     "encoding": {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}},
    {"data": {"values": [{}]},
     "mark": {"type": "rule", "color": "currentColor", "strokeDash": [4, 3], "opacity": 0.7},
     "encoding": {"x": null, "xOffset": null, "y": {"datum": 1}}}
  ]
})vl";

std::string gnuplot_of(const std::vector<std::string>& bins, const std::vector<std::string>& labels,
                       const std::string& axis) {
  std::string ticks = "set xtics (";
  for (std::size_t i = 0; i < bins.size(); ++i) {
    ticks += (i == 0 ? "" : ", ") + gnuplot_quoted(bins[i]) + " " + std::to_string(i);
  }
  const double width = 0.8 / static_cast<double>(labels.size());
  GnuplotPanel panel{"",
                     "",
                     axis,
                     {ticks + ") rotate by -20", "set yrange [0:*]",
                      "set xrange [-0.6:" + number_text(static_cast<double>(bins.size()) - 0.4) + "]",
                      "set style fill solid 0.8"}};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double offset = (static_cast<double>(i) + 0.5) * width - 0.4;
    panel.curves.push_back(gnuplot_curve(
        kName, {{"cell", labels[i]}}, "column(\"bin_index\") + " + number_text(offset),
        "\"speed_up\":\"low\":\"high\":(" + number_text(width * 0.9) + ")", "boxerrorbars", labels[i]));
  }
  panel.curves.emplace_back("1 with lines dashtype 2 lc rgb 'black' notitle");
  return gnuplot_script(kName, kTitle, {panel});
}

}  // namespace
}  // namespace speedup

Drawing draw_speedup(const ReportInput& input) {
  using namespace speedup;
  if (input.settings.baseline.empty()) {
    return ReportGap{kName, kTitle, "the experiment names no cell as its baseline."};
  }
  auto choice = choose_cells(input, kMostCells);
  std::erase_if(choice.cells, [&](const auto* cell) { return baseline_of(input, *cell) == nullptr; });
  const JobBins job_bins(input);
  auto bins = job_bins.names();
  if (bins.size() == 1) bins.clear();
  bins.emplace_back(kAll);

  Table table({{"bin", false}, {"bin_index"}, {"cell", false}, {"speed_up"}, {"low"}, {"high"}, {"seeds"}});
  for (const auto* cell : choice.cells) {
    const auto of_cell = ratios(*baseline_of(input, *cell), *cell, job_bins);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      const auto found = of_cell.find(bins[i]);
      if (found == of_cell.end()) continue;
      const auto ratio = *estimate(found->second);
      table.add({bins[i], static_cast<double>(i), label_of(*cell), ratio.mean, low(ratio), high(ratio),
                 static_cast<double>(ratio.count)});
    }
  }
  if (table.empty()) {
    return ReportGap{kName, kTitle, "no other cell ran a seed of the baseline with jobs that finished."};
  }
  const auto labels = labels_of(choice);
  const std::string axis = "speed-up (times)";
  const auto bars = static_cast<std::int64_t>(bins.size() * labels.size());
  const Holes holes{{"$bins", json_array(bins)},
                    {"$width", std::clamp<std::int64_t>(bars * 60, 300, 920)},
                    {"$cells", json_array(labels)},
                    {"$title", axis},
                    {"$colours", colour_scale(labels, colours_of(input, choice))},
                    {"$legend", legend_for(labels)}};
  return ReportFigure{kName,
                      kTitle,
                      "Mean response in the baseline (" + input.settings.baseline +
                          ") over that in each cell, seed by seed; above 1 (dashed) the cell is faster. " +
                          average_caption(choice),
                      spec_text(kSpec, holes, table),
                      table.csv(),
                      gnuplot_of(bins, labels, axis)};
}

}  // namespace proffer::study::reporting
