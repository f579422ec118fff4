#include "proffer/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace proffer {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto replaced = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::optional<std::string_view> nearest_word(std::string_view text,
                                             const std::vector<std::string_view>& known) {
  const auto nearer = [&](std::string_view a, std::string_view b) {
    return edit_distance(text, a) < edit_distance(text, b);
  };
  const auto nearest = std::min_element(known.begin(), known.end(), nearer);
  if (nearest == known.end() || edit_distance(text, *nearest) > 1 + text.size() / 3) return {};
  return *nearest;
}

}  // namespace proffer
