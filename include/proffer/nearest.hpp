// The word that somebody probably meant.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace proffer {

/// The number of letters that must be inserted, removed or replaced to turn one text into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The first of the nearest words in `known`; none: all are too far from the text to be meant.
std::optional<std::string_view> nearest_word(std::string_view text,
                                             const std::vector<std::string_view>& known);

}  // namespace proffer
