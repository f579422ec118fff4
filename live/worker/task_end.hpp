// The end of a task, as its worker sees it.
#pragma once

#include <string>
#include <utility>

#include "live/worker/command.hpp"
#include "live/worker/reporter.hpp"
#include "proffer/messages/work.hpp"

namespace proffer::live {

// Exit codes of a worker for what is not its command's fault, as sysexits.h has them.
inline constexpr int kInternalFailure = 70;
inline constexpr int kIoFailure = 74;
inline constexpr int kOutputsMissing = 75;

struct TaskEnd {
  int exit_code = 0;
  TaskResult result;     ///< the result, of success and of missing outputs
  std::string why;       ///< a failure's sentence, perhaps with lines of the command after it
  bool disk = false;     ///< a disk is full, or fails
  bool excused = false;  ///< only the store was to blame for a failure, as it may not be the next time
};

/// Returns the end of a task that has done its work.
inline TaskEnd succeeded(TaskResult result) {
  return {.exit_code = 0, .result = std::move(result), .why = {}};
}

/// Returns the end of a task by an error that is not its command's.
inline TaskEnd failed(const Error& error) {
  return {.exit_code = kIoFailure,
          .result = {},
          .why = error.message,
          .disk = error.code == ErrorCode::no_space || error.code == ErrorCode::disk};
}

/// Returns the end of a task by a failure of its command: "the mapper ended with exit code 3", and its last
/// words.
TaskEnd failed(const std::string& what, const ExitStatus& exit, const Reporter& reporter);

}  // namespace proffer::live
