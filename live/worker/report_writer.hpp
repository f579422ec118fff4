// Reports of a worker to its agent, and through it to its framework.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "proffer/messages/work.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

class ReportWriter {
 public:
  /// `fd`: PROFFER_RESULT_FD. It is kept from commands that are started later.
  explicit ReportWriter(int fd);

  /// Reports the status of a command (reporter:status); at most one a second is passed on.
  void status(std::string text);
  /// Asks for more inputs: a reduce was told of so many outputs, and of no more for a while.
  void ask_for_inputs(std::uint32_t from);
  /// Asks whether a reduce may compute, which has copied all its input.
  void ask_for_permit();
  /// Reports why the task is about to end with a failure.
  void failure(std::string text);
  /// Reports that the failure is the store's, and neither the task's nor its command's.
  void excuse();
  void result(const TaskResult& result);
  /// Reports that the agent's disk did not keep what the task wrote, and why: so the failure is no fault of
  /// the task's.
  void lost(const std::string& why);

 private:
  void write(std::string_view bytes);
  int fd_;
  std::optional<Time> last_status_;
};

}  // namespace proffer::live
