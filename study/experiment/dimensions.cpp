#include "study/experiment/dimensions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "proffer/formats/nearest.hpp"
#include "study/experiment/sections.hpp"

namespace proffer::study {
namespace {

using formats::error_at;

constexpr std::size_t kMostCells = 10'000;

/// A key is a variable's name, or a place in the tree.
bool is_place(std::string_view key) { return is_plain_setting(key) || key.find('.') != key.npos; }

/// A variable must be used, a place must be in a section that cells may change.
Result<> check_key(const TomlNode& root, const TomlKey& key, std::string_view file) {
  const std::string_view head(key.name.data(), std::min(key.name.find('.'), key.name.size()));
  if (!is_place(key.name)) {
    if (uses_variable(root, key.name)) return {};
    return error_at(
        file, key.position,
        fmt::format("nothing uses \"${{{}}}\"; write that where the value belongs, or a dotted key "
                    "such as \"allocator.offer_timeout\"",
                    key.name));
  }
  if (is_plain_setting(key.name) || is_section(head)) return {};
  return error_at(file, key.position, formats::unknown("section", head, section_names()));
}

Result<> add_option(Dimension& dimension, Option option, formats::Position position, std::string_view file) {
  for (const auto& other : dimension.options) {
    if (other.text == option.text) {
      return error_at(file, position, fmt::format("{} has \"{}\" twice", dimension.key, option.text));
    }
  }
  dimension.options.push_back(std::move(option));
  return {};
}

Result<Dimension> read_swept(const TomlKey& key, const TomlNode& list, std::string_view file) {
  if (list.type != TomlType::array || list.items.empty()) {
    return error_at(file, list.position,
                    fmt::format("{} must be a list of values, such as [\"0s\", \"5s\"]", key.name));
  }
  Dimension dimension{key.name, {}};
  for (const auto& item : list.items) {
    Option option{short_text(item), {{key, item}}};
    if (auto added = add_option(dimension, std::move(option), item.position, file); !added)
      return added.error();
  }
  return dimension;
}

Result<Option> read_cell(const TomlNode& table, std::string_view file) {
  if (table.type != TomlType::table)
    return error_at(file, table.position, "write [[cell]], with two brackets");
  Option option;
  for (const auto& [key, value] : table.members) {
    if (key.name == "name") {
      if (value.type != TomlType::string || value.text.empty() ||
          value.text.find_first_of("{}") != std::string::npos) {
        return error_at(file, value.position, "name must be a text without { and }");
      }
      option.text = value.text;
    } else if (key.name == "set") {
      if (value.type != TomlType::table) {
        return error_at(file, value.position,
                        "set must be a table, such as { \"framework.policy\" = \"greedy\" }");
      }
      option.values = with_dotted_keys(value);
    } else {
      return error_at(file, key.position, formats::unknown("key of [[cell]]", key.name, {"name", "set"}));
    }
  }
  if (option.text.empty()) return error_at(file, table.position, "a [[cell]] needs a name");
  return option;
}

Result<Dimension> read_named_cells(const TomlNode& list, std::string_view file) {
  if (list.type != TomlType::array) {
    return error_at(file, list.position, "write [[cell]], with two brackets, once for each cell");
  }
  Dimension dimension{"cell", {}};
  for (const auto& table : list.items) {
    auto option = read_cell(table, file);
    if (!option) return option.error();
    if (auto added = add_option(dimension, std::move(*option), table.position, file); !added)
      return added.error();
  }
  return dimension;
}

Result<> check_dimensions(const TomlNode& root, const std::vector<Dimension>& dimensions,
                          std::string_view file) {
  std::size_t count = 1;
  for (const auto& dimension : dimensions) {
    for (const auto& option : dimension.options) {
      for (const auto& [key, value] : option.values) {
        if (auto checked = check_key(root, key, file); !checked) return checked;
      }
    }
    count *= dimension.options.size();
    if (count > kMostCells) {
      return error_at(file, root.position, fmt::format("this makes more than {} cells", kMostCells));
    }
  }
  return {};
}

std::string cell_name(const std::vector<CellValue>& values) {
  std::string name;
  for (const auto& value : values) {
    const auto key = value.key == "cell" ? "" : fmt::format("{}=", short_key(value.key));
    name += fmt::format("{}{}{}", name.empty() ? "" : " ", key, value.text);
  }
  return name;
}

/// Letters, digits and a few signs, neither hidden nor too long.
std::string safe_name(std::string_view name) {
  constexpr std::string_view kAllowed = "._=,+-";
  constexpr std::size_t kMostBytes = 120;
  std::string safe;
  for (const char c : name.substr(0, kMostBytes)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    safe += plain || kAllowed.find(c) != kAllowed.npos ? c : '_';
  }
  if (safe.empty()) return "all";
  if (safe.front() == '.' || safe.front() == '-') safe.front() = '_';
  return safe;
}

void name_folders(std::vector<Cell>& cells) {
  // Cells are folders there, and may not have the names of files that stand beside them.
  std::set<std::string> taken{"experiment.toml", "experiment.json", "summary.json",
                              "cells.csv",       "report.html",     "figures"};
  for (auto& cell : cells) {
    const auto safe = safe_name(cell.name);
    cell.folder = safe;
    for (int n = 2; !taken.insert(cell.folder).second; ++n) cell.folder = fmt::format("{}_{}", safe, n);
  }
}

}  // namespace

std::vector<TomlMember> with_dotted_keys(const TomlNode& table) {
  std::vector<TomlMember> values;
  for (const auto& [key, value] : table.members) {
    if (value.type != TomlType::table || !is_section(key.name)) {
      values.push_back({key, value});
      continue;
    }
    for (const auto& [inner, inner_value] : value.members) {
      values.push_back({{fmt::format("{}.{}", key.name, inner.name), inner.position}, inner_value});
    }
  }
  return values;
}

Result<std::vector<Dimension>> read_dimensions(const TomlNode& root, std::string_view file) {
  std::vector<Dimension> dimensions;
  if (const auto* list = find_member(root, "cell")) {
    auto dimension = read_named_cells(*list, file);
    if (!dimension) return dimension.error();
    dimensions.push_back(std::move(*dimension));
  }
  if (const auto* sweep = find_member(root, "sweep")) {
    if (sweep->type != TomlType::table) return error_at(file, sweep->position, "[sweep] must be a table");
    for (const auto& [key, list] : with_dotted_keys(*sweep)) {
      auto dimension = read_swept(key, list, file);
      if (!dimension) return dimension.error();
      dimensions.push_back(std::move(*dimension));
    }
  }
  if (auto checked = check_dimensions(root, dimensions, file); !checked) return checked.error();
  return dimensions;
}

std::vector<Cell> make_cells(const std::vector<Dimension>& dimensions) {
  std::vector<Cell> cells(1);
  for (const auto& dimension : dimensions) {
    std::vector<Cell> longer;
    for (const auto& cell : cells) {
      for (std::size_t i = 0; i < dimension.options.size(); ++i) {
        longer.push_back(cell);
        longer.back().values.push_back({dimension.key, dimension.options[i].text});
        longer.back().picks.push_back(i);
      }
    }
    cells = std::move(longer);
  }
  for (auto& cell : cells) cell.name = cell_name(cell.values);
  name_folders(cells);
  return cells;
}

Result<TomlNode> tree_of_cell(const TomlNode& root, const std::vector<Dimension>& dimensions,
                              const Cell& cell, std::string_view file) {
  auto tree = root;
  std::erase_if(tree.members,
                [](const auto& member) { return member.key.name == "sweep" || member.key.name == "cell"; });
  Variables variables;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    for (const auto& [key, value] : dimensions[i].options[cell.picks[i]].values) {
      if (!is_place(key.name)) {
        variables.insert_or_assign(key.name, value);
      } else if (auto complaint = assign(tree, key, value); !complaint.empty()) {
        return error_at(file, key.position, complaint);
      }
    }
  }
  if (auto done = substitute(tree, variables, file); !done) return done.error();
  return tree;
}

}  // namespace proffer::study
