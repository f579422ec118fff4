// The command `proffer study fit`: the constants of an environment are chosen so that the figures come out
// that experiments mark as fitted, and all figures are shown beside what each constant changes in them.
#include "proffer/study/constant_fit.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <set>
#include <utility>

#include "cli/experiment_table.hpp"
#include "cli/output.hpp"
#include "cli/paths.hpp"
#include "cli/run_pool.hpp"
#include "cli/study_commands.hpp"
#include "proffer/formats/json_tree.hpp"

namespace proffer::cli {
namespace {

using formats::JsonNode;
using study::ComparedFigure;
using study::Experiment;
using study::FitAxis;
using Figures = std::vector<ComparedFigure>;
using Settings = std::vector<std::string>;

/// Returns the names of the cells that these figures are made of.
std::set<std::string> cells_of(const Experiment& experiment) {
  const auto cells = study::cells(experiment);
  std::set<std::string> names;
  for (const auto& figure : experiment.paper) {
    const auto base = find_cell(cells, figure.cell, 0);
    if (!base) continue;
    names.insert(cells[*base].name);
    for (const auto& filter : filters_of(figure.measure)) {
      if (const auto meant = find_cell(cells, filter, *base)) names.insert(cells[*meant].name);
    }
  }
  return names;
}

/// The experiments on one environment, and what comes out of them with other constants.
class Bed {
 public:
  explicit Bed(const FitOptions& options) : options_(options) {}

  /// Errors of read_experiment; `invalid` for experiments without an environment, or on two of them.
  Result<study::Environment> read() const {
    std::optional<study::Environment> environment;
    for (const auto& file : options_.experiments) {
      const auto experiment = study::read_experiment(file);
      if (!experiment) return experiment.error();
      if (!experiment->environment || experiment->environment->fitted.empty()) {
        return Error{ErrorCode::invalid, file + " includes no environment with a [[fit]]"};
      }
      if (environment && environment->name != experiment->environment->name) {
        return Error{ErrorCode::invalid, fmt::format("{} is on {}, and those before it on {}: fit one "
                                                     "environment at a time",
                                                     file, experiment->environment->name, environment->name)};
      }
      environment = experiment->environment;
    }
    return *environment;
  }

  /// Runs what the figures need. `fitted`: only those that the constants are chosen for.
  Result<Figures> figures(const Settings& settings, bool fitted) const {
    Figures all;
    for (const auto& file : options_.experiments) {
      auto of_one = figures_of(file, settings, fitted);
      if (!of_one) return of_one.error();
      all.insert(all.end(), of_one->begin(), of_one->end());
    }
    return all;
  }

 private:
  Result<Figures> figures_of(const std::string& file, const Settings& settings, bool fitted) const {
    auto experiment = study::read_experiment(file, settings);
    if (!experiment) return experiment.error();
    experiment->seed_count = options_.seeds;
    if (fitted) std::erase_if(experiment->paper, [](const auto& figure) { return !figure.fitted; });
    if (experiment->paper.empty()) return Figures{};
    const auto temporary = TemporaryFolder::make("proffer-fit");
    if (!temporary) return temporary.error();
    const study::ResultsFolder folder(temporary->path() + "/results");
    if (auto opened = folder.open(*experiment, PROFFER_VERSION); !opened) return opened.error();
    RunPoolOptions pool;
    pool.threads = options_.jobs;
    pool.show_progress = false;
    pool.cells = cells_of(*experiment);
    if (auto ran = run_missing(*experiment, folder, pool); !ran) return ran.error();
    const auto runs = folder.read_summaries(*experiment);
    if (!runs) return runs.error();
    return study::summarize(*experiment, *runs).paper;
  }

  const FitOptions& options_;
};

Result<std::vector<FitAxis>> search(const Bed& bed, std::vector<FitAxis> axes, const FitOptions& options) {
  const auto misfit_at = [&](const Settings& settings) -> Result<double> {
    const auto figures = bed.figures(settings, true);
    if (!figures) return figures.error();
    const auto off = study::misfit(*figures);
    if (!off) return Error{ErrorCode::invalid, "no [[paper]] of these experiments is marked fitted = true"};
    if (!options.quiet) fmt::print(stderr, "{}: off by {:.3f}\n", fmt::join(settings, " "), *off);
    return *off;
  };
  return study::least_misfit(std::move(axes), misfit_at);
}

/// The figures with the constants found, and with each of them varied, one at a time.
struct Shown {
  std::string name;  ///< "cost.remote_rate=18MB/s"; empty: as found
  Figures figures;
};

Result<std::vector<Shown>> vary(const Bed& bed, const std::vector<FitAxis>& axes, double part) {
  Settings found;
  for (const auto& axis : axes) found.push_back(axis.setting(axis.value));
  auto as_found = bed.figures(found, false);
  if (!as_found) return as_found.error();
  std::vector<Shown> all{{"", std::move(*as_found)}};
  if (part <= 0) return all;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    for (const double factor : {1 - part, 1 + part}) {
      auto settings = found;
      settings[i] = axes[i].setting(axes[i].value * factor);
      auto figures = bed.figures(settings, false);
      if (!figures) return figures.error();
      all.push_back({settings[i], std::move(*figures)});
    }
  }
  return all;
}

std::string ours_of(const ComparedFigure& figure) { return figure.ours ? estimate_text(*figure.ours) : "-"; }

std::string mean_of(const ComparedFigure& figure) {
  return figure.ours ? fmt::format("{:.3g}", figure.ours->mean) : "-";
}

void print_tables(const std::vector<FitAxis>& before, const std::vector<FitAxis>& found,
                  const std::vector<Shown>& shown) {
  Table constants({"CONSTANT", "IN THE FILE", "FOUND", "BETWEEN"});
  for (std::size_t i = 0; i < found.size(); ++i) {
    constants.add({found[i].key, before[i].text(before[i].value), found[i].text(found[i].value),
                   fmt::format("{} and {}", found[i].text(found[i].from), found[i].text(found[i].to))});
  }
  std::vector<std::string> header{"ID", "FIGURE", "CELL", "IS", "PAPER'S", "OURS"};
  for (std::size_t n = 1; n < shown.size(); ++n) header.push_back(shown[n].name);
  Table figures(header);
  for (std::size_t row = 0; row < shown.front().figures.size(); ++row) {
    const auto& figure = shown.front().figures[row];
    std::vector<std::string> cells{
        figure.id,      figure.label, figure.cell, basis_of(figure), fmt::format("{:g}", figure.paper),
        ours_of(figure)};
    for (std::size_t n = 1; n < shown.size(); ++n) cells.push_back(mean_of(shown[n].figures[row]));
    figures.add(cells);
  }
  fmt::print("{}\n{}", constants.text(), figures.text());
}

JsonNode number(const std::optional<double>& value) { return value ? JsonNode(*value) : JsonNode(); }

void print_json(const std::vector<FitAxis>& found, const std::vector<Shown>& shown) {
  auto constants = JsonNode::object({});
  for (const auto& axis : found) constants.set(axis.key, axis.text(axis.value));
  std::vector<JsonNode> rows;
  for (const auto& [name, figures] : shown) {
    for (const auto& figure : figures) {
      rows.push_back(
          JsonNode::object({{"with", name},
                            {"id", figure.id},
                            {"label", figure.label},
                            {"cell", figure.cell},
                            {"fitted", figure.fitted},
                            {"paper", figure.paper},
                            {"ours", figure.ours ? JsonNode(figure.ours->mean) : JsonNode()},
                            {"ci95", figure.ours ? number(figure.ours->half_width) : JsonNode()}}));
    }
  }
  auto all = JsonNode::object({{"constants", std::move(constants)}});
  all.set("figures", JsonNode::array(std::move(rows)));
  fmt::print("{}\n", formats::dump_json(all));
}

}  // namespace

int run_fit(const FitOptions& options) {
  const Bed bed(options);
  const auto environment = bed.read();
  if (!environment) return report(environment.error());
  const auto axes = study::fit_axes(*environment);
  if (!axes) return report(axes.error());
  const auto found = options.search ? search(bed, *axes, options) : axes;
  if (!found) return report(found.error());
  const auto shown = vary(bed, *found, options.sensitivity);
  if (!shown) return report(shown.error());
  if (options.json) {
    print_json(*found, *shown);
  } else {
    print_tables(*axes, *found, *shown);
  }
  return kOk;
}

}  // namespace proffer::cli
