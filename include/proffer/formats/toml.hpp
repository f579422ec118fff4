// A TOML document as a tree that knows where everything stood. The only door to the TOML library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proffer/result.hpp"

namespace proffer::formats {

/// A place in a file, line and column from 1; line 0: not from a file.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  auto operator<=>(const Position&) const = default;
};

struct TomlMember;

struct TomlKey {
  std::string name;
  Position position;
};

enum class TomlType : std::uint8_t { string, integer, number, boolean, date, array, table };
/// "a string", "an integer", ...
std::string_view to_string(TomlType type);

struct TomlNode {
  TomlType type = TomlType::table;
  Position position;
  std::string text;                 ///< the value of a string
  std::int64_t integer = 0;         ///< the value of an integer
  double number = 0;                ///< the value of a number or of an integer
  bool boolean = false;             ///< the value of a boolean
  std::vector<TomlNode> items;      ///< the items of an array
  std::vector<TomlMember> members;  ///< the members of a table, in the order of the file
};

struct TomlMember {
  TomlKey key;
  TomlNode node;
};

/// Reads a document. `invalid` with "FILE:LINE:COL: " and what is wrong.
Result<TomlNode> parse_toml(std::string_view text, std::string_view file);

/// The text of a file, unpacked if it is gzip's, whatever its name; `not_found`, `io` or (of gzip data that
/// are cut off or broken) `corrupt`, with its name.
Result<std::string> read_text_file(const std::string& path);

/// An error at a place: "FILE:LINE:COL: what".
Error error_at(std::string_view file, Position position, std::string_view what);

/// The text as a basic string of TOML, quoted and escaped.
std::string toml_quoted(std::string_view text);

}  // namespace proffer::formats
