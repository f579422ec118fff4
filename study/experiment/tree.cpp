#include "study/experiment/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "proffer/formats/nearest.hpp"

namespace proffer::study {
namespace {

std::string_view head_of(std::string_view path) { return path.substr(0, path.find('.')); }

/// Returns what follows `head` and a dot in `path`; none unless it begins so.
std::optional<std::string_view> behind(std::string_view path, std::string_view head) {
  if (head.empty() || path.size() <= head.size() + 1) return {};
  if (!path.starts_with(head) || path[head.size()] != '.') return {};
  return path.substr(head.size() + 1);
}

std::string_view name_of(const TomlNode& element) {
  const auto* name = find_member(element, "name");
  return name == nullptr || name->type != TomlType::string ? std::string_view{} : name->text;
}

std::string assign_at(TomlNode& node, std::string_view path, const TomlKey& key, const TomlNode& value);

std::string assign_in_table(TomlNode& table, std::string_view path, const TomlKey& key,
                            const TomlNode& value) {
  if (auto* whole = find_member(table, path)) {
    *whole = value;
    return {};
  }
  const auto head = head_of(path);
  auto* member = find_member(table, head);
  if (member == nullptr) {
    table.members.push_back({TomlKey{std::string(head), key.position}, TomlNode{}});
    member = &table.members.back().node;
    member->position = value.position;
  }
  if (const auto rest = behind(path, head)) return assign_at(*member, *rest, key, value);
  *member = value;
  return {};
}

std::string assign_in_list(TomlNode& list, std::string_view path, const TomlKey& key, const TomlNode& value) {
  TomlNode* named = nullptr;  // the one whose name is the longest of those that fit: names have dots, too
  for (auto& element : list.items) {
    if (!behind(path, name_of(element))) continue;
    if (named == nullptr || name_of(*named).size() < name_of(element).size()) named = &element;
  }
  if (named != nullptr) return assign_at(*named, *behind(path, name_of(*named)), key, value);
  for (auto& element : list.items) {
    if (auto complaint = assign_at(element, path, key, value); !complaint.empty()) return complaint;
  }
  return {};
}

std::string assign_at(TomlNode& node, std::string_view path, const TomlKey& key, const TomlNode& value) {
  if (node.type == TomlType::table) return assign_in_table(node, path, key, value);
  if (node.type == TomlType::array) return assign_in_list(node, path, key, value);
  return fmt::format("\"{}\" leads into {}, which has no \"{}\"; make that a table first", key.name,
                     to_string(node.type), path);
}

/// The members of a table as "wait,node_wait=5s": its name, then the others.
std::string short_table(const TomlNode& table) {
  std::string text(name_of(table));
  for (const auto& [key, value] : table.members) {
    if (key.name == "name") continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", key.name, short_text(value));
  }
  return text;
}

std::string short_list(const TomlNode& list) {
  std::vector<std::string> texts;
  for (const auto& item : list.items) texts.push_back(short_text(item));
  return fmt::format("{}", fmt::join(texts, ","));
}

/// Finds the next ${NAME} from `from` on: where it begins, and its name; begin is npos when there is none.
struct Use {
  std::size_t begin = std::string::npos;
  std::size_t end = std::string::npos;  ///< behind the bracket; npos: it is never closed
  std::string name;
};
Use next_use(std::string_view text, std::size_t from) {
  Use use;
  use.begin = text.find("${", from);
  if (use.begin == text.npos) return use;
  const auto close = text.find('}', use.begin);
  if (close == text.npos) return use;
  use.end = close + 1;
  use.name = text.substr(use.begin + 2, close - use.begin - 2);
  return use;
}

Result<> substitute_text(TomlNode& node, const Variables& variables, std::string_view file) {
  std::string replaced;
  std::size_t done = 0;
  for (auto use = next_use(node.text, 0); use.begin != std::string::npos; use = next_use(node.text, done)) {
    if (use.end == std::string::npos) return error_at(file, node.position, "a ${ without its }");
    const auto found = variables.find(use.name);
    if (found == variables.end()) {
      std::vector<std::string_view> names;
      for (const auto& [name, value] : variables) names.push_back(name);
      if (names.empty()) {
        return error_at(file, node.position,
                        fmt::format("the variable \"{}\" has no value: give it some in [sweep]", use.name));
      }
      return error_at(file, node.position, formats::unknown("variable", use.name, names));
    }
    if (use.begin == 0 && use.end == node.text.size()) {
      node = TomlNode(found->second);
      return {};
    }
    replaced.append(node.text, done, use.begin - done).append(short_text(found->second));
    done = use.end;
  }
  node.text = replaced.append(node.text, done);
  return {};
}

}  // namespace

const TomlNode* find_member(const TomlNode& table, std::string_view name) {
  const auto found = std::find_if(table.members.begin(), table.members.end(),
                                  [&](const auto& member) { return member.key.name == name; });
  return found == table.members.end() ? nullptr : &found->node;
}

TomlNode* find_member(TomlNode& table, std::string_view name) {
  return const_cast<TomlNode*>(find_member(std::as_const(table), name));
}

std::string assign(TomlNode& root, const TomlKey& key, const TomlNode& value) {
  return assign_at(root, key.name, key, value);
}

std::string short_text(const TomlNode& value) {
  switch (value.type) {
    case TomlType::string:
      return value.text;
    case TomlType::integer:
      return fmt::format("{}", value.integer);
    case TomlType::number:
      return fmt::format("{}", value.number);
    case TomlType::boolean:
      return value.boolean ? "true" : "false";
    case TomlType::date:
      return "date";
    case TomlType::array:
      return short_list(value);
    case TomlType::table:
      return short_table(value);
  }
  return {};
}

Result<> substitute(TomlNode& node, const Variables& variables, std::string_view file) {
  if (node.type == TomlType::string) return substitute_text(node, variables, file);
  for (auto& item : node.items) {
    if (auto done = substitute(item, variables, file); !done) return done;
  }
  for (auto& [key, value] : node.members) {
    if (auto done = substitute(value, variables, file); !done) return done;
  }
  return {};
}

bool uses_variable(const TomlNode& node, std::string_view name) {
  if (node.type == TomlType::string) return node.text.find(fmt::format("${{{}}}", name)) != std::string::npos;
  const auto uses = [&](const TomlNode& inner) { return uses_variable(inner, name); };
  return std::any_of(node.items.begin(), node.items.end(), uses) ||
         std::any_of(node.members.begin(), node.members.end(),
                     [&](const auto& member) { return uses(member.node); });
}

}  // namespace proffer::study
