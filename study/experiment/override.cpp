// "--set key=value": one more way to write what stands in the file.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "proffer/formats/nearest.hpp"
#include "study/experiment/dimensions.hpp"
#include "study/experiment/sections.hpp"

namespace proffer::study {
namespace {

Error refused(std::string_view override, std::string_view what) {
  return {ErrorCode::invalid, fmt::format("--set {}: {}", override, what)};
}

void forget_positions(TomlNode& node) {
  node.position = {};
  for (auto& item : node.items) forget_positions(item);
  for (auto& [key, value] : node.members) {
    key.position = {};
    forget_positions(value);
  }
}

/// A TOML value; what is none is a text, so that nobody needs two kinds of quotes.
TomlNode value_from(std::string_view text) {
  auto parsed = formats::parse_toml(fmt::format("value = {}", text), "");
  TomlNode value;
  value.type = TomlType::string;
  value.text = text;
  if (parsed && parsed->members.size() == 1) value = std::move(parsed->members.front().node);
  forget_positions(value);
  return value;
}

TomlNode list_of(TomlNode value) {
  TomlNode list;
  list.type = TomlType::array;
  list.items.push_back(std::move(value));
  return list;
}

/// Replaces the values of that key in a table of dotted keys; false when it is not there.
bool replace_in(TomlNode* table, std::string_view key, const TomlNode& value) {
  if (table == nullptr || table->type != TomlType::table) return false;
  table->members = with_dotted_keys(*table);
  auto* member = find_member(*table, key);
  if (member == nullptr) return false;
  *member = value;
  return true;
}

bool replace_in_cells(TomlNode& root, std::string_view key, const TomlNode& value) {
  auto* cells = find_member(root, "cell");
  if (cells == nullptr) return false;
  bool replaced = false;
  for (auto& cell : cells->items) replaced |= replace_in(find_member(cell, "set"), key, value);
  return replaced;
}

void sweep_only(TomlNode& root, std::string_view key, TomlNode value) {
  if (find_member(root, "sweep") == nullptr) root.members.push_back({TomlKey{"sweep", {}}, TomlNode{}});
  find_member(root, "sweep")->members.push_back({TomlKey{std::string(key), {}}, list_of(std::move(value))});
}

}  // namespace

Result<> apply_override(TomlNode& root, std::string_view override) {
  const auto equals = override.find('=');
  if (equals == override.npos || equals == 0) return refused(override, "write --set KEY=VALUE");
  const auto key = override.substr(0, equals);
  auto value = value_from(override.substr(equals + 1));
  if (replace_in(find_member(root, "sweep"), key, list_of(value))) return {};
  const bool in_cells = replace_in_cells(root, key, value);
  const auto head = key.substr(0, key.find('.'));
  const auto tops = top_names();
  if (std::find(tops.begin(), tops.end(), head) != tops.end()) {
    const auto complaint = assign(root, {std::string(key), {}}, value);
    return complaint.empty() ? Result<>() : refused(override, complaint);
  }
  if (in_cells) return {};
  if (!uses_variable(root, key)) return refused(override, formats::unknown("key", head, tops));
  sweep_only(root, key, std::move(value));
  return {};
}

}  // namespace proffer::study
