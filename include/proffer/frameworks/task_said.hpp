// The words of a running task to its framework, as the payload of a TaskMessage.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace proffer {

/// A task's words: what they are about, and their text.
struct TaskSaid {
  enum class What {
    status,   ///< the command's reporter:status
    failure,  ///< the task is about to fail: why, in a sentence, and the last lines of the command's
              ///< stderr
    wants,    ///< a reduce has been told of so many outputs (a number), and waits for more
    excuse,   ///< the task is about to fail, and neither it nor its command is to blame but the store, which
              ///< may be better later: then it is simply made again
  };
  What what = What::status;
  std::string text;
  bool operator==(const TaskSaid&) const = default;
};

/// The payload, cut to limits::kTextBytes.
std::string format_said(const TaskSaid& said);
/// The words of a payload; none for one that has another form.
std::optional<TaskSaid> parse_said(std::string_view payload);

}  // namespace proffer
