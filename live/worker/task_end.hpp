// How a task ended, as its worker sees it.
#pragma once

#include <string>

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
  TaskResult result;     ///< of success, and of missing outputs
  std::string why;       ///< of failure: a sentence, perhaps with lines of the command after it
  bool disk = false;     ///< a disk is full, or fails
  bool excused = false;  ///< of failure: only the store was to blame, as it may not be the next time
};

/// A failure that is not the command's.
inline TaskEnd failed(const Error& error) {
  return {kIoFailure, {}, error.message, error.code == ErrorCode::no_space || error.code == ErrorCode::disk};
}

/// A failure of the command: "the mapper ended with exit code 3", and its last words.
TaskEnd failed(const std::string& what, const ExitStatus& exit, const Reporter& reporter);

}  // namespace proffer::live
