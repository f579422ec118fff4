#include "study/readers/lines.hpp"

#include <algorithm>

namespace proffer::study {

std::optional<std::string_view> TextLines::next() {
  while (!rest_.empty()) {
    const auto end = std::min(rest_.find('\n'), rest_.size());
    auto line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != line.npos) return line;
  }
  return std::nullopt;
}

}  // namespace proffer::study
