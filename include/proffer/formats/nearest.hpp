// The sentence about a word that nobody knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proffer::formats {

/// A sentence for people: "unknown WHAT "text"; did you mean "x"?", or all known words when none is near.
std::string unknown(std::string_view what, std::string_view text, const std::vector<std::string_view>& known);

}  // namespace proffer::formats
