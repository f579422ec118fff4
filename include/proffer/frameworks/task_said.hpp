// What a task tells its framework while it runs, as the payload of a TaskMessage.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace proffer {

struct TaskSaid {
  enum class What {
    status,   ///< reporter:status of the command
    failure,  ///< why it is about to end with a failure: a sentence, and the last lines of the command's
              ///< stderr
    wants,    ///< of a reduce: it has been told of so many outputs (a number), and waits for more
    excuse,   ///< it is about to fail, and neither it nor its command is to blame but the store, which may be
              ///< better later: then it is simply made again
  };
  What what = What::status;
  std::string text;
  bool operator==(const TaskSaid&) const = default;
};

/// Cut to limits::kTextBytes.
std::string format_said(const TaskSaid& said);
/// None for a payload that is none of them.
std::optional<TaskSaid> parse_said(std::string_view payload);

}  // namespace proffer
