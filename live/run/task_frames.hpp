// Puts together what a task writes to PROFFER_RESULT_FD.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace proffer::live {

class TaskFrames {
 public:
  /// Returns what the task said, whole messages only; a result is kept (the newest counts). False in
  /// `.second` when this is no frame that a task may write: too long, or of an unknown kind. Nothing after it
  /// counts.
  std::pair<std::vector<std::string>, bool> feed(std::string_view bytes);

  const std::optional<std::string>& result() const { return result_; }

 private:
  std::string buffer_;
  std::optional<std::string> result_;
};

}  // namespace proffer::live
