// A JSON document as a tree that knows its lines. The only door to the JSON library for what is read from, or
// written to, files of experiments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proffer/result.hpp"

namespace proffer::formats {

enum class JsonType : std::uint8_t { null, boolean, integer, number, string, array, object };

struct JsonNode {
  JsonType type = JsonType::null;
  std::uint32_t line = 0;  ///< number of the line, from 1; 0: not from a file
  bool boolean = false;
  std::int64_t integer = 0;                               ///< the value of an integer
  double number = 0;                                      ///< the value of a number or of an integer
  std::string text;                                       ///< the value of a string
  std::vector<JsonNode> items;                            ///< the items of an array
  std::vector<std::pair<std::string, JsonNode>> members;  ///< the members of an object, in order

  JsonNode() = default;
  JsonNode(bool value);
  JsonNode(std::int64_t value);
  JsonNode(double value);  ///< a value that is not finite is written as null
  JsonNode(std::string value);
  JsonNode(const char* value) : JsonNode(std::string(value)) {}
  static JsonNode array(std::vector<JsonNode> items = {});
  static JsonNode object(std::vector<std::pair<std::string, JsonNode>> members = {});

  /// Returns the member of that name; null when there is none, or when this node is no object.
  const JsonNode* find(std::string_view name) const;
  void set(std::string name, JsonNode value);  ///< appends; names are unique
};

/// Reads one document. `invalid` with "FILE:LINE: " and what is wrong.
Result<JsonNode> parse_json(std::string_view text, std::string_view file);
/// Reads documents one behind the other, as Rumen and SLS write them.
Result<std::vector<JsonNode>> parse_json_sequence(std::string_view text, std::string_view file);

/// Writes UTF-8; members in order, so that equal trees give equal bytes. `indent` < 0: one line.
std::string dump_json(const JsonNode& node, int indent = 2);

}  // namespace proffer::formats
