#include "proffer/formats/text.hpp"

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <limits>

namespace proffer::formats {
namespace {

namespace utf = boost::locale::utf;
using Utf8 = utf::utf_traits<char>;

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Calls each(character, code point) to the end, or until it returns false; bytes that belong to no character
/// come one by one, with utf::illegal.
template <class Each>
void for_each_character(std::string_view text, const Each& each) {
  for (const char* at = text.data(); at != text.data() + text.size();) {
    const char* next = at;
    auto point = Utf8::decode(next, text.data() + text.size());
    if (!utf::is_valid_codepoint(point)) {
      point = utf::illegal;
      next = at + 1;
    }
    if (!each(std::string_view(at, static_cast<std::size_t>(next - at)), point)) return;
    at = next;
  }
}

bool is_control(utf::code_point point) { return point < 0x20 || (point >= 0x7f && point < 0xa0); }

}  // namespace

bool is_utf8(std::string_view text) {
  bool well_formed = true;
  if (is_ascii(text)) return well_formed;
  for_each_character(text, [&](auto, utf::code_point point) { return well_formed = point != utf::illegal; });
  return well_formed;
}

std::string to_utf8(std::string_view text, std::size_t most) {
  if (is_ascii(text)) return std::string(text.substr(0, most));
  std::string clean;
  for_each_character(text, [&](std::string_view character, utf::code_point point) {
    if (point == utf::illegal) character = kReplacement;
    if (clean.size() + character.size() > most) return false;
    clean += character;
    return true;
  });
  return clean;
}

std::string printable(std::string_view text, std::string_view kept) {
  std::string shown;
  for_each_character(text, [&](std::string_view character, utf::code_point point) {
    if (point == utf::illegal) character = kReplacement;
    shown += is_control(point) && kept.find(character) == kept.npos ? "?" : character;
    return true;
  });
  return shown;
}

}  // namespace proffer::formats
