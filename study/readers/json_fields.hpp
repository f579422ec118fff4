// Members of JSON objects, with sentences about those that are missing or of another type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/formats/json_tree.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"
#include "study/readers/field.hpp"

namespace proffer::study {

/// Reads the members of one object; the first thing wrong is what is told. A null is as good as nothing.
class JsonFields {
 public:
  JsonFields(std::string_view file, const formats::JsonNode& object);

  TracePlace place() const { return {file_, object_.line}; }
  const std::optional<Error>& error() const { return error_; }
  void fail(Error error);

  std::string text(std::string_view name);           ///< needed, not empty
  std::string text_or_empty(std::string_view name);  ///< numbers as they are written
  /// Milliseconds, 0 or above; needed.
  Duration ms(std::string_view name);
  /// A whole number of bytes; what is missing or negative is unknown, as Rumen writes it.
  std::optional<std::uint64_t> bytes(std::string_view name);
  /// An array; empty when there is none.
  const std::vector<formats::JsonNode>& items(std::string_view name);

 private:
  const formats::JsonNode* find(std::string_view name) const;
  void missing(std::string_view name, std::string_view expected);
  void wrong(const formats::JsonNode& node, std::string_view name, std::string_view expected);

  std::string_view file_;
  const formats::JsonNode& object_;
  std::optional<Error> error_;
};

/// "an array", ...
std::string_view type_name(formats::JsonType type);

/// Returns the objects of concatenated documents, or of one array. `invalid` when there is none, or one is no
/// object.
Result<std::vector<formats::JsonNode>> read_objects(std::string_view text, std::string_view file);

}  // namespace proffer::study
