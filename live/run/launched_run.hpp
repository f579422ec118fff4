// A run in its shim: a process group, what it writes, and what is yet to be written to it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "live/run/capped_file.hpp"
#include "live/run/packet.hpp"
#include "live/run/task_frames.hpp"
#include "live/run/task_process.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

class LaunchedRun {
 public:
  /// Starts it in its sandbox (`spawn.text`), where its stdout and stderr go to files of those names. The
  /// calling process must be its alone: all children of that are the run's. `invalid`: what it is to run
  /// cannot be run anywhere; all else is no fault of the task's.
  static Result<LaunchedRun> start(const Packet& spawn, const BeforeProgram& before);

  pid_t pid() const { return process_.pid; }
  /// Returns the descriptor of a channel; -1 once it is closed.
  int fd(Channel channel) const { return process_.at(channel).get(); }

  /// Takes what has come on out, err or reports (a megabyte at most), and closes the channel at its end.
  /// Returns the frames of the task's reports.
  std::vector<TaskFrame> read(Channel channel);
  /// Writes a frame to the task. A task that does not read loses what goes past 1 MiB, except the permit to
  /// compute; a task that lives is never waited for.
  void deliver(TaskFrameKind kind, std::string_view bytes);
  /// Writes on as far as the task reads. False when nothing is left.
  bool push();

  bool writing() const { return !pending_.empty(); }

  void signal(int number) const;
  /// Notes that the leader has ended: kills all that is left of the run, reaps it, and takes what is still in
  /// its pipes. Returns the last frames of its reports.
  std::vector<TaskFrame> end();
  bool ended() const { return exit_.has_value(); }
  Packet last_packet();

 private:
  LaunchId launch_;
  bool of_agent_ = false;  // the program is the agent's own, so that what it says of its disk is believed
  TaskProcess process_;
  CappedFile out_;
  CappedFile err_;
  TaskFrames frames_;
  std::string pending_;  // frames for the task
  std::optional<ExitStatus> exit_;
};

}  // namespace proffer::live
