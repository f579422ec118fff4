// What somebody probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proffer::formats {

/// How many letters must be put in, left out or replaced to turn one text into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// For people: "unknown WHAT "text"; did you mean "x"?", or all that there are when none is near.
std::string unknown(std::string_view what, std::string_view text, const std::vector<std::string_view>& known);

}  // namespace proffer::formats
