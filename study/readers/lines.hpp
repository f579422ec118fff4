// A text, line by line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace proffer::study {

/// Ends with \n or \r\n, which are not part of a line; the last one may have none. Blank lines are passed
/// over.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : rest_(text) {}
  std::optional<std::string_view> next();
  std::uint32_t number() const { return number_; }  ///< number of the last line, from 1

 private:
  std::string_view rest_;
  std::uint32_t number_ = 0;
};

}  // namespace proffer::study
