#include "proffer/formats/nearest.hpp"

#include <fmt/format.h>

#include "proffer/nearest.hpp"

namespace proffer::formats {

std::string unknown(std::string_view what, std::string_view text,
                    const std::vector<std::string_view>& known) {
  const auto nearest = nearest_word(text, known);
  auto sentence = fmt::format("unknown {} \"{}\"", what, text);
  return sentence + (nearest ? fmt::format("; did you mean \"{}\"?", *nearest)
                             : fmt::format("; there are {}", fmt::join(known, ", ")));
}

}  // namespace proffer::formats
