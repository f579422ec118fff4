#include "study/report/tables.hpp"

#include <algorithm>
#include <set>

#include "proffer/study/tenants.hpp"
#include "study/report/cells.hpp"
#include "study/report/html.hpp"

namespace proffer::study::reporting {
namespace {

constexpr std::size_t kColumns = 8;

std::string name_of(const CellSummary& cell) { return cell.cell.name.empty() ? "all runs" : cell.cell.name; }

std::set<std::string> all_measures(const ReportInput& input) {
  std::set<std::string> names;
  for (const auto& cell : input.summary.cells) {
    for (const auto& [name, value] : cell.measures) names.insert(name);
  }
  return names;
}

/// Returns the measures that most people look for first; where there are none of these, the first by name.
std::vector<std::string> chosen_measures(const ReportInput& input) {
  if (!input.settings.measures.empty()) return input.settings.measures;
  const auto known = all_measures(input);
  std::vector<std::string> chosen;
  for (const auto* name : {"node_local", "rack_local", "response_mean", "response_p95", "slowdown_mean",
                           "makespan", "jain", "utilisation.map", "offers_per_task"}) {
    if (known.contains(name)) chosen.emplace_back(name);
  }
  if (!chosen.empty()) return chosen;
  for (const auto& name : known) {
    if (chosen.size() < kColumns) chosen.push_back(name);
  }
  return chosen;
}

std::string text_of(const std::map<std::string, Estimate>& estimates, const std::string& name) {
  const auto found = estimates.find(name);
  return found == estimates.end() ? "–" : estimate_text(found->second);
}

std::string one_run_text(const std::optional<Estimate>& ours) {
  if (!ours || !ours->of_one_more) return "–";
  return short_text(ours->mean - *ours->of_one_more) + " to " + short_text(ours->mean + *ours->of_one_more);
}

std::string within_text(const ComparedFigure& figure) {
  const auto within = figure.within();
  return within == Verdict::undecided ? "–" : within == Verdict::held ? "yes" : "no";
}

}  // namespace

std::string cells_table(const ReportInput& input) {
  const auto measures = chosen_measures(input);
  std::vector<HtmlColumn> columns{{"cell"}, {"seeds", true}};
  for (const auto& name : measures) columns.push_back({name, true});
  HtmlTable table(columns);
  for (const auto& cell : input.summary.cells) {
    if (cell.seeds.empty()) continue;
    std::vector<std::string> row{name_of(cell), std::to_string(cell.seeds.size())};
    for (const auto& name : measures) row.push_back(text_of(cell.measures, name));
    table.add(row);
  }
  return table.empty() ? "" : table.html();
}

std::string tenants_tables(const ReportInput& input) {
  std::string text;
  for (const auto level : kTenantLevels) {
    const auto lines = tenant_lines(input.summary, level);
    const auto measures = tenant_columns(lines);
    std::vector<HtmlColumn> columns{{"cell"}, {std::string(level)}};
    for (const auto& name : measures) columns.push_back({name, true});
    HtmlTable table(columns);
    for (const auto& line : lines) {
      std::vector<std::string> row{line.cell.empty() ? "all runs" : line.cell, line.tenant};
      for (const auto& name : measures) row.push_back(text_of(line.measures, name));
      table.add(row);
    }
    if (!table.empty()) text += "<h3>" + std::string(tenant_title(level)) + "</h3>\n" + table.html();
  }
  return text;
}

std::string measures_table(const ReportInput& input) {
  HtmlTable table({{"measure"}, {"cell"}, {"mean over seeds", true}, {"difference to the baseline", true}});
  for (const auto& name : all_measures(input)) {
    for (const auto& cell : input.summary.cells) {
      if (cell.measures.contains(name) && !tenant_measure(name)) {
        table.add({name, name_of(cell), text_of(cell.measures, name), text_of(cell.difference, name)});
      }
    }
  }
  return table.empty() ? "" : table.html();
}

std::string paper_table(const ReportInput& input) {
  const auto& paper = input.summary.paper;
  const bool notes =
      std::any_of(paper.begin(), paper.end(), [](const auto& each) { return !each.note.empty(); });
  std::vector<HtmlColumn> columns{{""},
                                  {"figure"},
                                  {"cell"},
                                  {"measure"},
                                  {"paper", true},
                                  {"ours", true},
                                  {"ours − paper", true},
                                  {"one run of ours (95%)", true},
                                  {"paper within"},
                                  {"seeds", true},
                                  {"digest of the first seed", false, "digest"}};
  if (notes) columns.push_back({"note"});
  HtmlTable table(columns);
  for (const auto& figure : paper) {
    const auto& ours = figure.ours;
    const auto difference = ours ? ours->mean - figure.paper : 0;
    std::vector<std::string> row{figure.id,
                                 figure.label,
                                 figure.cell.empty() ? "all runs" : figure.cell,
                                 figure.measure,
                                 number_text(figure.paper),
                                 ours ? estimate_text(*ours) : "–",
                                 ours ? (difference >= 0 ? "+" : "") + short_text(difference) : "–",
                                 one_run_text(ours),
                                 within_text(figure),
                                 ours ? std::to_string(ours->count) : "0",
                                 figure.digest};
    if (notes) row.push_back(figure.note);
    table.add(row);
  }
  return table.empty() ? "" : table.html();
}

std::string checks_list(const ReportInput& input) {
  std::string items;
  for (const auto& check : input.summary.checks) {
    const auto* shown = check.verdict == Verdict::held       ? "held"
                        : check.verdict == Verdict::not_held ? "failed"
                                                             : "undecided";
    items += std::string("<li class=\"") + shown + "\">" + html_text(check.sentence()) + "</li>\n";
  }
  return items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
}

std::string runs_table(const ReportInput& input) {
  HtmlTable table({{"cell"},
                   {"seed", true},
                   {"seconds of the run", true},
                   {"events", true},
                   {"digest", false, "digest"}});
  for (const auto& cell : input.cells) {
    for (const auto& run : cell.runs) {
      table.add({label_of(cell), std::to_string(run.seed), number_text(run.run_seconds),
                 std::to_string(run.events), run.digest});
    }
  }
  return table.empty() ? "" : table.html();
}

}  // namespace proffer::study::reporting
