// Cuts a stream of bytes into lines, wherever its pieces end.
#pragma once

#include <string>
#include <string_view>

#include "proffer/result.hpp"

namespace proffer::live {

class LineSplitter {
 public:
  /// Calls `sink(line)` for each line that is complete now, without its line feed; stops at its first error.
  template <class Sink>
  Result<> add(std::string_view bytes, Sink&& sink) {
    while (!bytes.empty()) {
      const auto end = bytes.find('\n');
      if (end == bytes.npos) {
        rest_.append(bytes);
        return {};
      }
      auto line = bytes.substr(0, end);
      if (!rest_.empty()) line = rest_.append(line);
      auto taken = sink(line);
      rest_.clear();
      if (!taken) return taken;
      bytes.remove_prefix(end + 1);
    }
    return {};
  }
  /// Hands over the last line, when the stream did not end with a line feed.
  template <class Sink>
  Result<> finish(Sink&& sink) {
    if (rest_.empty()) return {};
    auto taken = sink(std::string_view(rest_));
    rest_.clear();
    return taken;
  }

 private:
  std::string rest_;
};

}  // namespace proffer::live
