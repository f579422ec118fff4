// What a worker tells its agent, and through it its framework.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "proffer/messages/work.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

class Teller {
 public:
  /// `fd`: PROFFER_RESULT_FD. It is kept from commands that are started later.
  explicit Teller(int fd);

  /// reporter:status of a command; at most one a second is passed on.
  void status(std::string text);
  /// Of a reduce: it was told of so many outputs, and of no more for a while.
  void wants(std::uint32_t from);
  /// Of a reduce: it has copied all its input; may it compute?
  void ask_leave();
  /// Why the task is about to end with a failure.
  void failure(std::string text);
  /// The failure is the store's, and neither the task's nor its command's.
  void excuse();
  void result(const TaskResult& result);
  /// The agent's disk did not keep what the task wrote, and why: so the failure is no fault of the task's.
  void lost(const std::string& why);

 private:
  void write(std::string_view bytes);
  int fd_;
  std::optional<Time> last_status_;
};

}  // namespace proffer::live
