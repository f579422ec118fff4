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
  std::uint32_t line = 0;  ///< from 1; 0: not from a file
  bool boolean = false;
  std::int64_t integer = 0;                               ///< of an integer
  double number = 0;                                      ///< of a number; of an integer too
  std::string text;                                       ///< of a string
  std::vector<JsonNode> items;                            ///< of an array
  std::vector<std::pair<std::string, JsonNode>> members;  ///< of an object, in order

  JsonNode() = default;
  JsonNode(bool value);
  JsonNode(std::int64_t value);
  JsonNode(double value);  ///< not finite: written as null
  JsonNode(std::string value);
  JsonNode(const char* value) : JsonNode(std::string(value)) {}
  static JsonNode array(std::vector<JsonNode> items = {});
  static JsonNode object(std::vector<std::pair<std::string, JsonNode>> members = {});

  /// The member of that name; null when there is none, or this is no object.
  const JsonNode* find(std::string_view name) const;
  void set(std::string name, JsonNode value);  ///< appends; names are unique
};

/// `invalid` with "FILE:LINE: " and what is wrong.
Result<JsonNode> parse_json(std::string_view text, std::string_view file);
/// Documents one behind the other, as Rumen and SLS write them.
Result<std::vector<JsonNode>> parse_json_sequence(std::string_view text, std::string_view file);

/// UTF-8; members in order, so that equal trees give equal bytes. `indent` < 0: one line.
std::string dump_json(const JsonNode& node, int indent = 2);

}  // namespace proffer::formats
