// Messages as JSON, and their bytes as another library reads and writes MessagePack: what the codec is
// compared with. The only door to nlohmann-json in these tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "proffer/kept.hpp"
#include "proffer/message.hpp"

namespace proffer::formats {

/// {"v":1,"type":12,...,"body":{"framework":"...",...}}: fields by name, in the order of the wire; ids and
/// bytes in hexadecimal.
std::string to_json(const Envelope& envelope);
Envelope from_json(std::string_view text);

/// The message as it should be on the wire, element by element, as text; built from the fields alone.
std::string expected_elements(const Envelope& envelope);
/// The same of bytes, read by the other library.
std::string elements_of(std::string_view bytes);

/// The same of records: {"tag":3,...}.
std::string to_json(const Kept& record);
Kept record_from_json(std::string_view text);
std::string expected_elements(const Kept& record);

/// A message, or a record, beside its bytes.
struct TestVector {
  std::string name;
  std::string message;  // JSON
  std::string bytes;
};
std::string print_vectors(const std::vector<TestVector>& vectors);
std::vector<TestVector> parse_vectors(std::string_view text);

/// The place of an element in a message: [6, 0, 2] is the third element of the first of the body.
using Place = std::vector<std::size_t>;
/// Returns every place but the root, arrays before what is in them.
std::vector<Place> places_of(std::string_view bytes);
/// A value that may be put in the place of an element.
enum class Planted { nil, yes, number_5, negative, huge, fraction, text, bytes, empty_array, map };
inline constexpr int kPlanted = 10;
std::string planted(std::string_view bytes, const Place& place, Planted what);
/// Returns the message with the array there one element longer (a nil), or shorter.
std::string longer(std::string_view bytes, const Place& array);
std::string shorter(std::string_view bytes, const Place& array);
bool is_array(std::string_view bytes, const Place& place);
std::size_t size_of(std::string_view bytes, const Place& array);

std::string to_hex_text(std::string_view bytes);
std::string from_hex_text(std::string_view hex);

}  // namespace proffer::formats
