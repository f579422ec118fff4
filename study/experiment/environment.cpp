#include "study/experiment/environment.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "study/experiment/scenario.hpp"
#include "study/experiment/sections.hpp"
#include "study/experiment/traces.hpp"
#include "study/experiment/values.hpp"

namespace proffer::study {
namespace {

using formats::AsText;
using formats::error_at;
using formats::Setting;

constexpr std::array<std::string_view, 4> kShared{"cluster", "cost", "store", "allocator"};

template <class Owner>
using Keys = std::vector<Setting<Owner>>;

std::span<const Setting<Environment>> top_keys() {
  using S = Environment;
  static const auto keys = [] {
    Keys<S> all{elsewhere<S>("environment"), elsewhere<S>("fit")};
    for (const auto section : kShared) all.push_back(elsewhere<S>(section));
    return all;
  }();
  return keys;
}

std::span<const Setting<Environment>> environment_keys() {
  using S = Environment;
  static constexpr std::array kKeys{
      reading<S, AsText<formats::Name>, [](auto& s) -> auto& { return s.name; }>("name"),
      reading<S, AsText<formats::Text>, [](auto& s) -> auto& { return s.title; }>("title"),
  };
  return kKeys;
}

std::span<const Setting<FittedConstant>> fit_keys() {
  using S = FittedConstant;
  using AsAny = AsText<formats::Text>;
  static constexpr std::array kKeys{
      reading<S, AsAny, [](auto& s) -> auto& { return s.key; }>("key"),
      reading<S, AsAny, [](auto& s) -> auto& { return s.from; }>("from"),
      reading<S, AsAny, [](auto& s) -> auto& { return s.to; }>("to"),
  };
  return kKeys;
}

/// Reads the sections by themselves, so that what is wrong is said with its place in this file. Of [cluster]
/// there may be a part here; it is read with the experiment's.
Result<> check_sections(const TomlNode& root, std::string_view file) {
  CostModel cost;
  StoreSection store;
  AllocatorSection allocator;
  if (auto read = read_cost(find_member(root, "cost"), file, cost); !read) return read;
  if (auto read = read_store(find_member(root, "store"), file, store); !read) return read;
  return read_allocator(find_member(root, "allocator"), file, allocator);
}

/// Returns the value of a dotted key of two parts.
const TomlNode* value_of(const TomlNode& root, std::string_view key) {
  const auto dot = key.find('.');
  if (dot == key.npos) return nullptr;
  const auto* section = find_member(root, key.substr(0, dot));
  return section == nullptr ? nullptr : find_member(*section, key.substr(dot + 1));
}

Result<> read_fits(const TomlNode& root, Environment& environment) {
  const auto& file = environment.path;
  const auto tables = tables_of(find_member(root, "fit"), "[[fit]]", file);
  if (!tables) return tables.error();
  for (const auto* table : *tables) {
    FittedConstant fitted;
    if (auto read = formats::read_settings(*table, fit_keys(), "[[fit]]", file, fitted); !read) return read;
    const auto* value = value_of(root, fitted.key);
    if (value == nullptr || fitted.from.empty() || fitted.to.empty()) {
      return error_at(
          file, table->position,
          "a [[fit]] needs key, from and to; and its key, such as \"cost.remote_rate\", a value in "
          "this file");
    }
    fitted.value = short_text(*value);
    environment.fitted.push_back(std::move(fitted));
  }
  return {};
}

Result<> read_environment(const TomlNode& root, Environment& environment) {
  const auto& file = environment.path;
  if (auto read = formats::read_settings(root, top_keys(), "an environment", file, environment); !read)
    return read;
  const auto* own = find_member(root, "environment");
  if (own == nullptr) return error_at(file, {1, 1}, "an environment begins with [environment] and its name");
  auto read = formats::read_settings(*own, environment_keys(), "[environment]", file, environment);
  if (!read) return read;
  if (environment.name.empty()) return error_at(file, own->position, "the environment needs a name");
  if (auto checked = check_sections(root, file); !checked) return checked;
  return read_fits(root, environment);
}

/// Puts the keys of a section under those of the experiment.
Result<> merge(TomlNode& root, const TomlMember& section, const Experiment& experiment,
               const Environment& environment) {
  auto* own = find_member(root, section.key.name);
  if (own == nullptr) {
    root.members.push_back(section);
    return {};
  }
  for (const auto& [key, value] : section.node.members) {
    if (const auto* twice = find_member(*own, key.name)) {
      return error_at(
          experiment.file, twice->position,
          fmt::format("{}.{} is set by the environment {} ({}:{}): leave it out here; cells, "
                      "[sweep] and --set may vary it",
                      section.key.name, key.name, environment.name, environment.path, key.position.line));
    }
    own->members.push_back({key, value});
  }
  return {};
}

}  // namespace

Result<> include_environment(TomlNode& root, Experiment& experiment) {
  const auto* include = find_member(root, "include");
  if (include == nullptr) return {};
  if (include->type != TomlType::string) {
    return error_at(experiment.file, include->position,
                    "include must be a path from the folder of this file, such as \"environments/x.toml\"");
  }
  Environment environment;
  environment.path = located(include->text, experiment);
  auto text = formats::read_text_file(environment.path);
  if (!text) return error_at(experiment.file, include->position, text.error().message);
  environment.text = std::move(*text);
  const auto tree = formats::parse_toml(environment.text, environment.path);
  if (!tree) return tree.error();
  if (auto read = read_environment(*tree, environment); !read) return read;
  for (const auto& section : tree->members) {
    if (!is_section(section.key.name)) continue;
    if (auto merged = merge(root, section, experiment, environment); !merged) return merged;
  }
  experiment.environment = std::move(environment);
  return {};
}

}  // namespace proffer::study
