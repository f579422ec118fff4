#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "study/report/cells.hpp"
#include "study/report/figures.hpp"
#include "study/report/gnuplot.hpp"
#include "study/report/spec.hpp"

namespace proffer::study::reporting {
namespace offers {  // all figures are compiled as one source
namespace {

constexpr const char* kName = "decline-reasons";
constexpr const char* kTitle = "What became of the offers";
constexpr std::size_t kMostCells = 12;

const std::vector<std::string> kOutcomes{"accepted", "declined", "rescinded", "expired", "open at the end"};

/// Accepted is green and expired red, whichever of them occur.
std::vector<std::size_t> places_of(const std::vector<std::string>& outcomes) {
  static const std::map<std::string, std::size_t> places{
      {"accepted", 2}, {"declined", 1}, {"rescinded", 4}, {"expired", 5}, {kOutcomes.back(), 7}};
  std::vector<std::size_t> found;
  for (const auto& outcome : outcomes) found.push_back(places.at(outcome));
  return found;
}

/// Means over the runs of a cell.
struct Counts {
  std::map<std::string, double> outcomes;
  std::map<std::string, double> reasons;
  double offers = 0;
  std::optional<Estimate> per_task;
};

double mean_of(const ReportCell& cell, const std::string& measure) {
  double sum = 0;
  for (const auto& run : cell.runs) {
    if (const auto found = run.measures.find(measure); found != run.measures.end()) sum += found->second;
  }
  return sum / static_cast<double>(cell.runs.size());
}

/// Returns the reasons: what stands behind "declines." in the names of measures.
std::set<std::string> reasons_of(const ReportCell& cell) {
  constexpr std::string_view prefix = "declines.";
  std::set<std::string> reasons;
  for (const auto& run : cell.runs) {
    for (const auto& [name, value] : run.measures) {
      if (name.starts_with(prefix) && value > 0) reasons.insert(name.substr(prefix.size()));
    }
  }
  return reasons;
}

Counts counts_of(const ReportCell& cell) {
  Counts counts;
  counts.offers = mean_of(cell, "offers.made");
  double open = counts.offers;
  for (const auto& outcome : kOutcomes) {
    const double count = mean_of(cell, "offers." + outcome);
    if (count > 0) counts.outcomes[outcome] = count;
    open -= count;
  }
  if (open > 0.5) counts.outcomes[kOutcomes.back()] = open;
  for (const auto& reason : reasons_of(cell)) counts.reasons[reason] = mean_of(cell, "declines." + reason);
  counts.per_task = over_seeds(cell, [](const RunResult& run) -> std::optional<double> {
    const auto found = run.measures.find("offers_per_task");
    if (found == run.measures.end()) return {};
    return found->second;
  });
  return counts;
}

/// Parts of a whole bar, one behind the other.
void add_bar(Table& table, const std::string& panel, const std::string& cell, double index,
             const std::vector<std::string>& parts, const std::map<std::string, double>& counts) {
  double whole = 0;
  for (const auto& [part, count] : counts) whole += count;
  double from = 0;
  for (const auto& part : parts) {
    const auto found = counts.find(part);
    if (found == counts.end()) continue;
    const double to = from + found->second;
    table.add({panel, cell, index, part, found->second, from / whole, to / whole});
    from = to;
  }
}

constexpr const char* kSpec = R"vl({
  "vconcat": [
    {"title": {"text": "outcome", "anchor": "start", "frame": "group"},
     "width": 560, "height": {"step": 26},
     "layer": [
       {"transform": [{"filter": "datum.panel === 'outcome'"}],
        "mark": {"type": "bar", "height": 16},
        "encoding": {
          "y": {"field": "cell", "type": "nominal", "sort": "$cells", "scale": {"domain": "$cells"},
                "title": null, "axis": {"labelLimit": 320}},
          "x": {"field": "from", "type": "quantitative", "title": "share of offers (%)",
                "axis": {"format": ".0%"}, "scale": {"domain": [0, 1]}},
          "x2": {"field": "to"},
          "color": {"field": "what", "type": "nominal", "scale": "$outcomes",
                    "legend": {"title": null, "orient": "bottom", "columns": 5}},
          "tooltip": [{"field": "cell"}, {"field": "what"},
                      {"field": "offers", "type": "quantitative", "format": ","}]}},
       {"transform": [{"filter": "datum.panel === 'total'"}],
        "mark": {"type": "text", "align": "left", "dx": 8},
        "encoding": {
          "y": {"field": "cell", "type": "nominal", "sort": "$cells"},
          "x": {"field": "to", "type": "quantitative"},
          "text": {"field": "what", "type": "nominal"}}}
     ]},
    {"title": {"text": "reasons of the declines", "anchor": "start", "frame": "group"},
     "width": 560, "height": {"step": 26},
     "transform": [{"filter": "datum.panel === 'reason'"}],
     "mark": {"type": "bar", "height": 16},
     "encoding": {
       "y": {"field": "cell", "type": "nominal", "sort": "$cells", "scale": {"domain": "$cells"},
             "title": null, "axis": {"labelLimit": 320}},
       "x": {"field": "from", "type": "quantitative", "title": "share of declines (%)",
             "axis": {"format": ".0%"}, "scale": {"domain": [0, 1]}},
       "x2": {"field": "to"},
       "color": {"field": "what", "type": "nominal", "scale": "$reasons",
                 "legend": {"title": null, "orient": "bottom", "columns": 6}},
       "tooltip": [{"field": "cell"}, {"field": "what"},
                   {"field": "offers", "type": "quantitative", "format": ","}]}}
  ],
  "resolve": {"scale": {"color": "independent"}}
})vl";

std::string total_text(const Counts& counts) {
  auto digits = std::to_string(std::llround(counts.offers));
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  digits += " offers";
  if (counts.per_task) digits += ", " + estimate_text(*counts.per_task) + " per task";
  return digits;
}

std::string gnuplot_of(const std::vector<std::string>& labels, const std::vector<std::string>& outcomes,
                       const std::vector<std::string>& reasons) {
  std::string ticks = "set ytics (";
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ticks += (i == 0 ? "" : ", ") + gnuplot_quoted(labels[i]) + " " + std::to_string(i);
  }
  std::vector<GnuplotPanel> panels;
  const auto add = [&](const std::string& name, const std::string& axis,
                       const std::vector<std::string>& parts) {
    GnuplotPanel panel{name,
                       axis,
                       "",
                       {ticks + ")", "set yrange [" + std::to_string(labels.size() - 1) + ".6:-0.6]",
                        "set xrange [0:1]", "set style fill solid 0.9 noborder"}};
    for (const auto& part : parts) {
      panel.curves.push_back(gnuplot_curve(
          kName, {{"panel", name}, {"what", part}}, "column(\"from\")",
          "\"cell_index\":\"from\":\"to\":(column(\"cell_index\")-0.3):(column(\"cell_index\")+0.3)",
          "boxxyerror", part));
    }
    panels.push_back(std::move(panel));
  };
  add("outcome", "share of offers", outcomes);
  if (!reasons.empty()) add("reason", "share of declines", reasons);
  return gnuplot_script(kName, kTitle, panels);
}

}  // namespace
}  // namespace offers

Drawing draw_offers(const ReportInput& input) {
  using namespace offers;
  auto choice = choose_cells(input, kMostCells);
  std::erase_if(choice.cells,
                [](const auto* cell) { return cell->runs.empty() || mean_of(*cell, "offers.made") == 0; });
  std::set<std::string> seen_outcomes;
  std::set<std::string> seen_reasons;
  std::vector<Counts> counts;
  for (const auto* cell : choice.cells) {
    counts.push_back(counts_of(*cell));
    for (const auto& [what, n] : counts.back().outcomes) seen_outcomes.insert(what);
    for (const auto& [what, n] : counts.back().reasons) seen_reasons.insert(what);
  }
  if (seen_outcomes.empty()) return ReportGap{kName, kTitle, "no offer was made."};
  std::vector<std::string> outcomes;
  for (const auto& what : kOutcomes) {
    if (seen_outcomes.contains(what)) outcomes.push_back(what);
  }
  const std::vector<std::string> reasons(seen_reasons.begin(), seen_reasons.end());

  Table table(
      {{"panel", false}, {"cell", false}, {"cell_index"}, {"what", false}, {"offers"}, {"from"}, {"to"}});
  const auto labels = labels_of(choice);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto index = static_cast<double>(i);
    add_bar(table, "outcome", labels[i], index, outcomes, counts[i].outcomes);
    add_bar(table, "reason", labels[i], index, reasons, counts[i].reasons);
    table.add({std::string("total"), labels[i], index, total_text(counts[i]), counts[i].offers, 0.0, 1.0});
  }
  const Holes holes{{"$cells", json_array(labels)},
                    {"$outcomes", colour_scale(outcomes, places_of(outcomes))},
                    {"$reasons", colour_scale(reasons)}};
  return ReportFigure{
      kName,
      kTitle,
      "Offers by how they ended, and declines by their reason: means over the seeds of each cell, "
      "± the 95% confidence interval. " +
          runs_caption(choice),
      spec_text(kSpec, holes, table),
      table.csv(),
      gnuplot_of(labels, outcomes, reasons)};
}

}  // namespace proffer::study::reporting
