// Which word somebody probably meant.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace proffer {

/// How many letters must be put in, left out or replaced to turn one text into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Of those that there are, the first of the nearest; none: all are too far from the text to be meant.
std::optional<std::string_view> nearest_word(std::string_view text,
                                             const std::vector<std::string_view>& known);

}  // namespace proffer
