#include "proffer/formats/toml.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "formats/gzip.hpp"
#include "proffer/names.hpp"

namespace proffer::formats {
namespace {

Position position_of(const toml::source_region& source) {
  return {static_cast<std::uint32_t>(source.begin.line), static_cast<std::uint32_t>(source.begin.column)};
}

TomlNode tree_of(const toml::node& node);

void fill_table(const toml::table& table, TomlNode& tree) {
  for (const auto& [key, value] : table) {
    tree.members.push_back({TomlKey{std::string(key.str()), position_of(key.source())}, tree_of(value)});
  }
  // The library sorts by name; people read from the top.
  std::stable_sort(tree.members.begin(), tree.members.end(),
                   [](const auto& a, const auto& b) { return a.key.position < b.key.position; });
}

TomlNode tree_of(const toml::node& node) {
  TomlNode tree;
  tree.position = position_of(node.source());
  if (const auto* table = node.as_table()) {
    tree.type = TomlType::table;
    fill_table(*table, tree);
  } else if (const auto* array = node.as_array()) {
    tree.type = TomlType::array;
    for (const auto& item : *array) tree.items.push_back(tree_of(item));
  } else if (const auto* text = node.as_string()) {
    tree.type = TomlType::string;
    tree.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    tree.type = TomlType::integer;
    tree.integer = integer->get();
    tree.number = static_cast<double>(tree.integer);
  } else if (const auto* number = node.as_floating_point()) {
    tree.type = TomlType::number;
    tree.number = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    tree.type = TomlType::boolean;
    tree.boolean = boolean->get();
  } else {
    tree.type = TomlType::date;
  }
  return tree;
}

}  // namespace

std::string_view to_string(TomlType type) {
  static constexpr std::array<std::string_view, 7> kNames{
      "a string", "an integer", "a number", "true or false", "a date or time", "an array", "a table"};
  return enum_name(kNames, type);
}

Error error_at(std::string_view file, Position position, std::string_view what) {
  return {ErrorCode::invalid, fmt::format("{}:{}:{}: {}", file, position.line, position.column, what)};
}

Result<TomlNode> parse_toml(std::string_view text, std::string_view file) {
  try {
    return tree_of(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    return error_at(file, position_of(error.source()), error.description());
  }
}

Result<std::string> read_text_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{ErrorCode::not_found, fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  // The function read() reports errors as a state; iterators would throw, e.g. at a folder.
  std::string text;
  std::array<char, 16384> piece;
  do {
    in.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  } while (in);
  if (in.bad()) return Error{ErrorCode::io, fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  return is_gzip(text) ? gunzip(text, path) : text;
}

std::string toml_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (c == '"' || c == '\\') {
      quoted.append(1, '\\').append(1, c);
    } else if (control) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace proffer::formats
