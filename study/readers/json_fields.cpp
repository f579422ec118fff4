#include "study/readers/json_fields.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "proffer/limits.hpp"
#include "proffer/names.hpp"

namespace proffer::study {

using formats::JsonNode;
using formats::JsonType;

std::string_view type_name(JsonType type) {
  static constexpr std::array<std::string_view, 7> kNames{
      "null", "true or false", "an integer", "a number", "a string", "an array", "an object"};
  return enum_name(kNames, type);
}

JsonFields::JsonFields(std::string_view file, const JsonNode& object) : file_(file), object_(object) {
  if (object.type == JsonType::object) return;
  fail(error_at(place(), fmt::format("{} stands here; expected an object", type_name(object.type))));
}

void JsonFields::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

void JsonFields::missing(std::string_view name, std::string_view expected) {
  fail(error_at(place(),
                fmt::format("{} is missing in the object that begins here; expected {}", name, expected)));
}

void JsonFields::wrong(const JsonNode& node, std::string_view name, std::string_view expected) {
  const auto found =
      node.type == JsonType::integer ? fmt::format("{}", node.integer) : std::string(type_name(node.type));
  fail(error_at({file_, node.line}, fmt::format("{} is {}; expected {}", name, found, expected)));
}

const JsonNode* JsonFields::find(std::string_view name) const {
  const auto* node = object_.find(name);
  return node == nullptr || node->type == JsonType::null ? nullptr : node;
}

std::string JsonFields::text(std::string_view name) {
  constexpr std::string_view kExpected = "a string that is not empty";
  const auto* node = find(name);
  if (node == nullptr) {
    missing(name, kExpected);
    return {};
  }
  if (node->type != JsonType::string || node->text.empty()) {
    wrong(*node, name, kExpected);
    return {};
  }
  return node->text;
}

std::string JsonFields::text_or_empty(std::string_view name) {
  const auto* node = find(name);
  if (node == nullptr) return {};
  if (node->type == JsonType::integer) return fmt::format("{}", node->integer);
  if (node->type != JsonType::string) wrong(*node, name, "a string");
  return node->text;
}

Duration JsonFields::ms(std::string_view name) {
  constexpr std::string_view kExpected = "milliseconds, a whole number from 0 on";
  const auto* node = find(name);
  if (node == nullptr) {
    missing(name, kExpected);
    return {};
  }
  if (node->type != JsonType::integer || node->integer < 0 || node->integer > limits::kDurationUs / 1000) {
    wrong(*node, name, kExpected);
    return {};
  }
  return std::chrono::milliseconds(node->integer);
}

std::optional<std::uint64_t> JsonFields::bytes(std::string_view name) {
  const auto* node = find(name);
  if (node == nullptr) return std::nullopt;
  if (node->type != JsonType::integer || node->integer > static_cast<std::int64_t>(kMostBytes)) {
    wrong(*node, name, "a whole number of bytes");
    return std::nullopt;
  }
  if (node->integer < 0) return std::nullopt;
  return static_cast<std::uint64_t>(node->integer);
}

const std::vector<JsonNode>& JsonFields::items(std::string_view name) {
  static const std::vector<JsonNode> none;
  const auto* node = find(name);
  if (node == nullptr) return none;
  if (node->type != JsonType::array) wrong(*node, name, "an array");
  return node->items;
}

Result<std::vector<JsonNode>> read_objects(std::string_view text, std::string_view file) {
  auto documents = formats::parse_json_sequence(text, file);
  if (!documents) return documents.error();
  if (documents->size() == 1 && documents->front().type == JsonType::array) {
    auto items = std::move(documents->front().items);
    *documents = std::move(items);
  }
  if (documents->empty())
    return error_at({file, 1}, "there is no job in it; expected a JSON object for each");
  return documents;
}

}  // namespace proffer::study
