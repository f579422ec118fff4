#include "proffer/formats/rules.hpp"

namespace proffer::formats {

// The sentences of `wants` contain these figures.
static_assert(limits::kTextBytes == 65536 && limits::kPathBytes == 4096 && limits::kEndpointBytes == 256);
static_assert(limits::kNameBytes == 128 && limits::kPoolDepth == 8);

bool Pool::holds(std::string_view text) {
  if (text.empty()) return true;
  for (std::size_t depth = 1; depth <= limits::kPoolDepth; ++depth) {
    const auto dot = text.find('.');
    if (!valid_name(text.substr(0, dot))) return false;
    if (dot == text.npos) return true;
    text.remove_prefix(dot + 1);
  }
  return false;
}

}  // namespace proffer::formats
