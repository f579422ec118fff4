// Messages of a running task to its framework, as the payload of a TaskMessage.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace proffer {

struct TaskSaid {
  enum class What {
    status,  ///< reporter:status of the command
    /// The reason for the failure with which the task is about to end: a sentence, and the last lines of the
    /// command's stderr.
    failure,
    wants,  ///< sent by a reduce: it has been told of so many outputs (a number), and waits for more
    /// The task is about to fail through no fault of its own or of its command, but of the store, which may
    /// work again later: the task is then simply made again.
    excuse,
  };
  What what = What::status;
  std::string text;
  bool operator==(const TaskSaid&) const = default;
};

/// The payload, cut to limits::kTextBytes.
std::string format_said(const TaskSaid& said);
/// Reads a payload; none for a payload of another form.
std::optional<TaskSaid> parse_said(std::string_view payload);

}  // namespace proffer
