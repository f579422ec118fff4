// Counts the lines of a stream; what follows the last line feed is one, too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace proffer::live {

class LineCounter {
 public:
  void add(std::string_view bytes) {
    if (bytes.empty()) return;
    feeds_ += static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    mid_line_ = bytes.back() != '\n';
  }
  std::uint64_t count() const { return feeds_ + (mid_line_ ? 1 : 0); }

 private:
  std::uint64_t feeds_ = 0;
  bool mid_line_ = false;
};

}  // namespace proffer::live
