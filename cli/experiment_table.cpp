#include "cli/experiment_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/output.hpp"
#include "proffer/bulk.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/study/offered_load.hpp"
#include "proffer/study/tenants.hpp"

namespace proffer::cli {
namespace {

constexpr const char* kUsual[] = {"node_local",    "rack_local", "response_mean",  "response_p95",
                                  "slowdown_mean", "jain",       "offers_per_task"};

constexpr std::size_t kMostTenantLines = 40;
constexpr std::size_t kMostStartUps = 6;

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// Notes what is worse in `row` than in the row of that machine.
void take_worse(const study::MachineRow& row, std::vector<study::MachineRow>& worst) {
  const auto known = std::find_if(worst.begin(), worst.end(),
                                  [&](const auto& other) { return other.machine == row.machine; });
  if (known == worst.end()) {
    worst.push_back(row);
    return;
  }
  known->agents = std::max(known->agents, row.agents);
  known->busy = std::max(known->busy, row.busy);
  known->stolen = std::max(known->stolen, row.stolen);
  known->load_after = std::max(known->load_after, row.load_after);
  known->round_trip = std::max(known->round_trip, row.round_trip);
  if (std::abs(row.clock_drift) <= std::abs(known->clock_drift)) return;
  known->clock_drift = row.clock_drift;
  known->clock_error = row.clock_error;
}

/// Returns what people count a kind in, in its units: processors, GiB, slots.
double one_of(Kind kind) {
  if (kind == kMemory) return 1024;
  return kind == kCpus ? 1000 : 1;
}

}  // namespace

std::vector<std::string> shown_measures(const study::Experiment& experiment,
                                        const study::ExperimentSummary& summary) {
  if (!experiment.report.measures.empty()) return experiment.report.measures;
  std::vector<std::string> measures;
  for (const auto* name : kUsual) {
    const bool measured = std::any_of(summary.cells.begin(), summary.cells.end(),
                                      [&](const auto& cell) { return cell.measures.contains(name); });
    if (measured) measures.emplace_back(name);
  }
  return measures;
}

std::string estimate_text(const study::Estimate& estimate) {
  const auto size = std::abs(estimate.mean);
  const int digits = size < 10 ? 3 : size < 1000 ? 1 : 0;
  if (!estimate.half_width) return fmt::format("{:.{}f}", estimate.mean, digits);
  return fmt::format("{:.{}f} ±{:.{}f}", estimate.mean, digits, *estimate.half_width, digits);
}

std::string cells_table(const study::Experiment& experiment, const study::ExperimentSummary& summary) {
  const auto measures = shown_measures(experiment, summary);
  std::vector<std::string> header{"CELL", "SEEDS"};
  for (const auto& name : measures) header.push_back(upper(name));
  Table table(header);
  for (const auto& cell : summary.cells) {
    std::vector<std::string> row{cell.cell.name.empty() ? "(one)" : cell.cell.name,
                                 std::to_string(cell.seeds.size())};
    for (const auto& name : measures) {
      const auto at = cell.measures.find(name);
      row.push_back(at == cell.measures.end() ? "-" : estimate_text(at->second));
    }
    table.add(row);
  }
  return table.text();
}

std::string differences_table(const study::Experiment& experiment, const study::ExperimentSummary& summary) {
  if (experiment.report.baseline.empty()) return "";
  const auto measures = shown_measures(experiment, summary);
  std::vector<std::string> header{"LESS " + experiment.report.baseline};
  for (const auto& name : measures) header.push_back(upper(name));
  Table table(header);
  for (const auto& cell : summary.cells) {
    if (cell.difference.empty()) continue;
    std::vector<std::string> row{cell.cell.name};
    for (const auto& name : measures) {
      const auto at = cell.difference.find(name);
      row.push_back(at == cell.difference.end() ? "-" : estimate_text(at->second));
    }
    table.add(row);
  }
  return "\nDifferences by paired seeds\n" + table.text();
}

std::string tenant_tables(const study::ExperimentSummary& summary) {
  std::string text;
  for (const auto level : study::kTenantLevels) {
    const auto lines = study::tenant_lines(summary, level);
    if (lines.empty()) continue;
    if (lines.size() > kMostTenantLines) {
      text += fmt::format("\n{}: {} rows, in the report and in cells.csv\n", study::tenant_title(level),
                          lines.size());
      continue;
    }
    const auto columns = study::tenant_columns(lines);
    std::vector<std::string> header{"CELL", upper(std::string(level))};
    for (const auto& name : columns) header.push_back(upper(name));
    Table table(header);
    for (const auto& line : lines) {
      std::vector<std::string> row{line.cell.empty() ? "(one)" : line.cell, line.tenant};
      for (const auto& name : columns) {
        const auto at = line.measures.find(name);
        row.push_back(at == line.measures.end() ? "-" : estimate_text(at->second));
      }
      table.add(row);
    }
    text += fmt::format("\n{}\n{}", study::tenant_title(level), table.text());
  }
  return text;
}

Result<std::string> load_table(const study::Experiment& experiment) {
  Table table({"CELL", "KIND", "FRAMEWORK", "SLOTS", "WORK (S)", "WANTED", "LOAD"});
  for (const auto& cell : study::cells(experiment)) {
    const auto plan = study::make_plan(experiment, cell, experiment.first_seed);
    if (!plan) return plan.error();
    for (const auto& load : study::offered_load(*plan)) {
      if (!load.framework.empty() && plan->frameworks.size() == 1) continue;
      const bool known = load.wanted > 0;
      table.add({cell.name.empty() ? "(one)" : cell.name, std::string(load.kind.name()),
                 load.framework.empty() ? "(all)" : load.framework,
                 format_quantity(load.kind, std::llround(load.slots)),
                 fmt::format("{:.0f}", load.work / one_of(load.kind)),
                 known ? fmt::format("{:.1f}", load.wanted / one_of(load.kind)) : "-",
                 known ? fmt::format("{:.3f}", load.load()) : "-"});
    }
  }
  return table.text();
}

std::string load_sentence(const study::Experiment& experiment) {
  const auto cells = study::cells(experiment);
  const auto plan = study::make_plan(experiment, cells.front(), experiment.first_seed);
  if (!plan) return "";
  std::string text;
  for (const auto& load : study::offered_load(*plan)) {
    if (!load.framework.empty() || load.work == 0) continue;
    text += fmt::format("offered load of {} slots: ", load.kind.name());
    text += load.wanted > 0 ? fmt::format("{:.3f} ({:.1f} of {:g} wanted in the mean)\n", load.load(),
                                          load.wanted, load.slots)
                            : fmt::format("{:.0f} slot-seconds, {:.0f} s of all {:g}\n", load.work,
                                          load.work / load.slots, load.slots);
  }
  return text;
}

std::string start_up_sentences(const study::ExperimentSummary& summary) {
  std::string text;
  std::size_t told = 0;
  for (const auto& cell : summary.cells) {
    const auto response = cell.measures.find("start_up.response");
    const auto busy = cell.measures.find("start_up.utilisation");
    const auto end = [&](const auto& found) { return found == cell.measures.end() ? 0 : found->second.mean; };
    const auto last = std::max(end(response), end(busy));
    if (last < 1) continue;
    if (++told > kMostStartUps) return text + "start-up: of other cells, see start_up.* in cells.csv\n";
    text += fmt::format(
        "start-up{}: ends at about {:.0f} s (MSER-5: {:.0f} s by responses, {:.0f} s by "
        "slots in use); warm_up = \"{:.0f}s\" leaves it out\n",
        cell.cell.name.empty() ? "" : " of " + cell.cell.name, last, end(response), end(busy),
        std::ceil(last));
  }
  return text;
}

Result<std::string> machines_table(const study::Experiment& experiment, const study::ResultsFolder& folder) {
  std::vector<study::MachineRow> worst;
  for (const auto& cell : study::cells(experiment)) {
    for (std::uint32_t n = 0; n < experiment.seed_count; ++n) {
      if (!folder.is_complete(cell, experiment.first_seed + n)) continue;
      const auto rows = folder.read_machines(cell, experiment.first_seed + n);
      if (!rows) return rows.error();
      for (const auto& row : *rows) take_worse(row, worst);
    }
  }
  Table table({"MACHINE", "AGENTS", "PROCESSORS", "BUSY", "STOLEN", "LOAD", "CLOCK GAINED", "ROUND TRIP"});
  for (const auto& row : worst) {
    const bool here = row.address.empty();
    table.add({row.machine, std::to_string(row.agents), std::to_string(row.processors),
               fmt::format("{:.0f}%", row.busy * 100), fmt::format("{:.1f}%", row.stolen * 100),
               fmt::format("{:.2f}", row.load_after),
               here ? "-" : fmt::format("{:.3f} ms ±{:.3f}", row.clock_drift * 1e3, row.clock_error * 1e3),
               here ? "-" : fmt::format("{:.3f} ms", row.round_trip * 1e3)});
  }
  return "\nMachines, the worst of all runs\n" + table.text();
}

namespace {

std::string one_run_text(const std::optional<study::Estimate>& ours) {
  if (!ours || !ours->of_one_more) return "-";
  return fmt::format("{:.4g} to {:.4g}", ours->mean - *ours->of_one_more, ours->mean + *ours->of_one_more);
}

}  // namespace

std::string basis_of(const study::ComparedFigure& figure) { return figure.fitted ? "fitted" : "predicted"; }

std::string paper_table(const study::ExperimentSummary& summary) {
  if (summary.paper.empty()) return "";
  Table table({"PAPER", "CELL", "WHAT", "IS", "PAPER'S", "OURS", "ONE RUN OF OURS", "WITHIN"});
  for (const auto& figure : summary.paper) {
    table.add({figure.id, figure.cell, figure.label, basis_of(figure), fmt::format("{:g}", figure.paper),
               figure.ours ? estimate_text(*figure.ours) : "-", one_run_text(figure.ours),
               figure.within() == study::Verdict::undecided ? "-"
               : figure.within() == study::Verdict::held    ? "yes"
                                                            : "no"});
  }
  return "\n" + table.text();
}

}  // namespace proffer::cli
