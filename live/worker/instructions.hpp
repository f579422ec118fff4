// Reads what an agent sends to a worker while that runs.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "live/run/task_frames.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

class Instructions {
 public:
  /// `fd`: PROFFER_DELIVER_FD. It is kept from commands that are started later.
  explicit Instructions(int fd);

  // `io` when the agent is gone.
  /// None when nothing has come for that long.
  Result<std::optional<MoreInputs>> more_inputs(Duration patience);
  /// Waits for the permit to compute, however long it takes.
  Result<> wait_for_permit();

 private:
  /// Returns the next frame of one kind; others that come before it are kept.
  Result<std::optional<std::string>> next(TaskFrameKind kind, Duration patience);
  std::optional<std::string> take(TaskFrameKind kind);
  Result<> read_some();

  int fd_;
  TaskFrames frames_{TaskFrames::From::agent};
  std::deque<TaskFrame> pending_;
};

}  // namespace proffer::live
