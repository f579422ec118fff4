#include "proffer/study/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "proffer/check.hpp"
#include "study/experiment/bench.hpp"
#include "study/experiment/claims.hpp"
#include "study/experiment/dimensions.hpp"
#include "study/experiment/environment.hpp"
#include "study/experiment/plugins.hpp"
#include "study/experiment/scenario.hpp"
#include "study/experiment/sections.hpp"
#include "study/experiment/traces.hpp"
#include "study/experiment/values.hpp"

namespace proffer::study {
namespace {

using formats::AsCount;
using formats::error_at;
using formats::Setting;

constexpr std::array<std::string_view, 2> kModes{"sim", "live"};
enum class Mode : std::uint8_t { sim, live };

struct AsMode {
  static Complaint read(const TomlNode& node, bool& live) {
    auto mode = Mode::sim;
    auto complaint = AsChoice<Mode, kModes>::read(node, mode);
    live = mode == Mode::live;
    return complaint;
  }
};

struct AsSeed {
  static Complaint read(const TomlNode& node, std::uint64_t& value) {
    if (node.type != TomlType::integer || node.integer < 0) return "must be a whole number from 0";
    value = static_cast<std::uint64_t>(node.integer);
    return {};
  }
};

/// "2%", as a part of 1.
struct AsPrecision {
  static Complaint read(const TomlNode& node, double& value) {
    constexpr std::string_view kWants = "a part such as \"2%\"";
    if (node.type != TomlType::string) return wrong_type(kWants, node);
    double percent = 0;
    const auto& text = node.text;
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), percent);
    if (bad != std::errc{} || std::string_view(end) != "%" || !(percent > 0 && percent <= 100)) {
      return fmt::format("must be {}", kWants);
    }
    value = percent / 100;
    return {};
  }
};

std::span<const Setting<Experiment>> seeds_keys() {
  using S = Experiment;
  static constexpr std::array kKeys{
      reading<S, AsSeed, [](auto& s) -> auto& { return s.first_seed; }>("from"),
      reading<S, AsCount<1>, [](auto& s) -> auto& { return s.seed_count; }>("count"),
      reading<S, AsPrecision, [](auto& s) -> auto& { return s.until.precision; }>("until"),
      reading<S, AsText<formats::Text>, [](auto& s) -> auto& { return s.until.measure; }>("of"),
      reading<S, AsCount<1>, [](auto& s) -> auto& { return s.until.most; }>("most"),
  };
  return kKeys;
}

Result<> read_seeds(const TomlNode& node, Experiment& experiment) {
  constexpr std::uint32_t kMostSeeds = 100'000;
  if (node.type == TomlType::table) {
    if (auto read = formats::read_settings(node, seeds_keys(), "seeds", experiment.file, experiment); !read) {
      return read;
    }
  } else if (auto complaint = AsCount<1>::read(node, experiment.seed_count); !complaint.empty()) {
    return error_at(experiment.file, node.position,
                    fmt::format("seeds {}, or a table such as {{ from = 1, count = 10 }}", complaint));
  }
  if (experiment.until.precision > 0 && experiment.seed_count < 2) {
    return error_at(experiment.file, node.position, "seeds with until need a count of 2 or more");
  }
  if (std::max(experiment.seed_count, experiment.until.most) <= kMostSeeds) return {};
  return error_at(experiment.file, node.position, fmt::format("seeds may be up to {}", kMostSeeds));
}

struct AsSchema {
  static Complaint read(const TomlNode& node, const std::string&) {
    const bool ours = node.type == TomlType::integer && node.integer == 1;
    return ours ? "" : "must be 1: this is all that this version knows";
  }
};

/// The settings at the top of the file; sections and times are read with their cells.
Result<> read_top(const TomlNode& root, Experiment& experiment) {
  using S = Experiment;
  static const auto keys = [] {
    std::vector<Setting<S>> all{
        reading<S, AsSchema, [](auto& s) -> auto& { return s.name; }>("schema"),
        reading<S, formats::AsText<formats::Name>, [](auto& s) -> auto& { return s.name; }>("name"),
        reading<S, formats::AsText<formats::Text>, [](auto& s) -> auto& { return s.title; }>("title"),
        reading<S, AsMode, [](auto& s) -> auto& { return s.live; }>("mode"),
        reading<S, AsScale, [](auto& s) -> auto& { return s.time_scale; }>("time_scale"),
        reading<S, formats::AsText<formats::Path>, [](auto& s) -> auto& { return s.machines; }>("machines"),
    };
    for (const auto name : top_names()) {
      if (formats::find_setting<S>(all, name) == nullptr) all.push_back(elsewhere<S>(name));
    }
    return all;
  }();
  auto read = formats::read_settings<S>(root, keys, "an experiment", experiment.file, experiment);
  if (!read) return read;
  if (experiment.name.empty()) return error_at(experiment.file, {1, 1}, "the experiment needs a name");
  if (experiment.title.empty()) experiment.title = experiment.name;
  experiment.machines = located(experiment.machines, experiment);
  const auto* seeds = find_member(root, "seeds");
  return seeds == nullptr ? Result<>() : read_seeds(*seeds, experiment);
}

/// Every cell must be one that can be run.
Result<> check_cells(Experiment& experiment, const std::vector<Dimension>& dimensions,
                     const std::vector<Cell>& cells) {
  std::set<std::string> opened;
  for (const auto& cell : cells) {
    const auto tree = tree_of_cell(*experiment.tree, dimensions, cell, experiment.file);
    if (!tree) return tree.error();
    const auto scenario = read_scenario(*tree, experiment.file);
    if (!scenario) return scenario.error();
    if (auto checked = check_traces(*scenario, experiment, opened); !checked) return checked;
  }
  experiment.traces.assign(opened.begin(), opened.end());
  return {};
}

Result<> fill(Experiment& experiment, const std::vector<std::string>& plugins) {
  auto root = formats::parse_toml(experiment.text, experiment.file);
  if (!root) return root.error();
  // One that names another environment comes first of all.
  for (const auto& override : experiment.overrides) {
    if (!override.starts_with("include=")) continue;
    if (auto applied = apply_override(*root, override); !applied) return applied;
  }
  if (auto included = include_environment(*root, experiment); !included) return included;
  // Overrides come before anything is read, since they may change any key; plug-ins before cells are checked,
  // since these may name policies of theirs; claims last, since their filters must match cells.
  for (const auto& override : experiment.overrides) {
    if (auto applied = apply_override(*root, override); !applied) return applied;
  }
  if (auto read = read_top(*root, experiment); !read) return read;
  if (auto loaded = load_plugins(*root, plugins, experiment); !loaded) return loaded;
  const auto dimensions = read_dimensions(*root, experiment.file);
  if (!dimensions) return dimensions.error();
  experiment.tree = std::make_shared<TomlNode>(std::move(*root));
  const auto all = make_cells(*dimensions);
  if (auto checked = check_cells(experiment, *dimensions, all); !checked) return checked;
  return read_claims(*experiment.tree, all, experiment);
}

/// Returns the error with "--set" for its place if it came from a command line, which has no place in the
/// file.
Error without_place(Error error, std::string_view file) {
  const auto nowhere = fmt::format("{}:0:0: ", file);
  if (error.message.starts_with(nowhere)) error.message.replace(0, nowhere.size(), "--set: ");
  return error;
}

std::vector<Dimension> dimensions_of(const Experiment& experiment) {
  PROFFER_CHECK(experiment.tree != nullptr, "an experiment comes from read_experiment");
  return read_dimensions(*experiment.tree, experiment.file).value();  // it was read before
}

}  // namespace

Result<Experiment> parse_experiment(std::string text, std::string file, std::string folder,
                                    const std::vector<std::string>& overrides,
                                    const std::vector<std::string>& plugins) {
  Experiment experiment;
  experiment.file = std::move(file);
  experiment.folder = std::move(folder);
  experiment.text = std::move(text);
  experiment.overrides = overrides;
  if (auto filled = fill(experiment, plugins); !filled) return without_place(filled.error(), experiment.file);
  return experiment;
}

Result<Experiment> read_experiment(const std::string& path, const std::vector<std::string>& overrides,
                                   const std::vector<std::string>& plugins) {
  auto text = formats::read_text_file(path);
  if (!text) return text.error();
  const auto slash = path.rfind('/');
  return parse_experiment(std::move(*text), path, slash == path.npos ? "." : path.substr(0, slash + 1),
                          overrides, plugins);
}

Result<Experiment> with_policies(const Experiment& experiment, const std::vector<std::string>& policies) {
  auto compared = experiment;
  compared.checks.clear();
  compared.paper.clear();
  compared.report.baseline.clear();
  auto root = *experiment.tree;
  compare_policies(root, policies);
  const auto dimensions = read_dimensions(root, experiment.file);
  if (!dimensions) return dimensions.error();
  compared.tree = std::make_shared<TomlNode>(std::move(root));
  if (auto checked = check_cells(compared, *dimensions, make_cells(*dimensions)); !checked)
    return checked.error();
  return compared;
}

std::vector<Cell> cells(const Experiment& experiment) { return make_cells(dimensions_of(experiment)); }

Result<Plan> make_plan(const Experiment& experiment, const Cell& cell, std::uint64_t seed) {
  const auto tree = tree_of_cell(*experiment.tree, dimensions_of(experiment), cell, experiment.file);
  if (!tree) return tree.error();
  const auto scenario = read_scenario(*tree, experiment.file);
  if (!scenario) return scenario.error();
  return plan_of(*scenario, experiment, cell, seed);
}

}  // namespace proffer::study
