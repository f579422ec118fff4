#include "study/experiment/bench.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "study/experiment/dimensions.hpp"
#include "study/experiment/sections.hpp"

namespace proffer::study {
namespace {

bool is_policy_key(std::string_view key) {
  return key.starts_with("framework.") && (key.ends_with(".policy") || key.find(".policy.") != key.npos);
}

/// A value that has no effect any more, once policies are out of the tree.
bool is_idle(const TomlNode& root, std::string_view key) {
  const bool variable = key.find('.') == key.npos && !is_plain_setting(key);
  return is_policy_key(key) || (variable && !uses_variable(root, key));
}

void drop_policies(TomlNode& root) {
  auto* frameworks = find_member(root, "framework");
  if (frameworks == nullptr) return;
  for (auto& framework : frameworks->items) {
    std::erase_if(framework.members, [](const auto& member) { return member.key.name == "policy"; });
  }
}

void drop_idle(const TomlNode& root, TomlNode* values) {
  if (values == nullptr || values->type != TomlType::table) return;
  values->members = with_dotted_keys(*values);
  std::erase_if(values->members, [&](const auto& member) { return is_idle(root, member.key.name); });
}

/// Returns what a [[cell]] still sets, as a text.
std::string set_of(const TomlNode& cell) {
  const auto* set = find_member(cell, "set");
  return set == nullptr ? std::string() : short_text(*set);
}

/// A cell that sets nothing any more may be called after what it set: "no-delay", beside a policy that waits.
void name_after_nothing(TomlNode& cell, const std::vector<TomlNode>& all) {
  auto* name = find_member(cell, "name");
  std::string plain = "plain";
  const auto is_taken = [&](const TomlNode& other) {
    const auto* its = find_member(other, "name");
    return its != nullptr && its->text == plain;
  };
  while (std::any_of(all.begin(), all.end(), is_taken)) plain += '-';
  if (name != nullptr) name->text = plain;
}

/// Keeps the first of the cells that differed in their policies only. When it is the only one left, and sets
/// nothing any more, there are no cells at all.
void drop_equal_cells(TomlNode& root) {
  auto* cells = find_member(root, "cell");
  if (cells == nullptr) return;
  std::set<std::string> seen;
  std::erase_if(cells->items, [&](const TomlNode& cell) { return !seen.insert(set_of(cell)).second; });
  if (cells->items.size() > 1 || !seen.contains("")) {
    for (auto& cell : cells->items) {
      if (set_of(cell).empty()) name_after_nothing(cell, cells->items);
    }
    return;
  }
  std::erase_if(root.members, [](const auto& member) { return member.key.name == "cell"; });
}

TomlNode list_of(const std::vector<std::string>& texts) {
  TomlNode list;
  list.type = TomlType::array;
  for (const auto& text : texts) {
    TomlNode item;
    item.type = TomlType::string;
    item.text = text;
    list.items.push_back(std::move(item));
  }
  return list;
}

}  // namespace

void compare_policies(TomlNode& root, const std::vector<std::string>& policies) {
  drop_policies(root);
  const auto without = root;
  drop_idle(without, find_member(root, "sweep"));
  if (auto* cells = find_member(root, "cell")) {
    for (auto& cell : cells->items) drop_idle(without, find_member(cell, "set"));
  }
  drop_equal_cells(root);
  if (find_member(root, "sweep") == nullptr) root.members.push_back({TomlKey{"sweep", {}}, TomlNode{}});
  auto& swept = find_member(root, "sweep")->members;
  swept.insert(swept.begin(), {TomlKey{"framework.policy", {}}, list_of(policies)});
}

}  // namespace proffer::study
