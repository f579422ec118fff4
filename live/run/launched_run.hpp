// A run in the launcher: a process group, what it writes, and what is yet to be written to it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
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
  using Clock = std::chrono::steady_clock;

  /// Starts it in its sandbox (`spawn.text`), where its stdout and stderr go to files of those names.
  /// `invalid`: what it is to run cannot be run anywhere; all else is no fault of the task's.
  static Result<LaunchedRun> start(const Packet& spawn);

  LaunchId launch() const { return launch_; }
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

  void signal(int number) const;
  /// Notes that the leader has ended: kills what is left of the group, and reaps the leader.
  void end(Clock::time_point now);
  bool ended() const { return exit_.has_value(); }
  /// Returns whether nothing of the run is left: no process of its group, nothing in its pipes. A process
  /// that has left the group and holds the pipes, or one that cannot die, is waited for until give_up_at().
  bool gone(Clock::time_point now);
  Clock::time_point give_up_at() const { return give_up_at_; }
  Packet last_packet();

 private:
  bool pipes_open() const;

  LaunchId launch_;
  bool of_agent_ = false;  // the program is the agent's own, so that what it says of its disk is believed
  TaskProcess process_;
  CappedFile out_;
  CappedFile err_;
  TaskFrames frames_;
  std::string pending_;  // frames for the task
  std::optional<ExitStatus> exit_;
  bool group_gone_ = false;
  Clock::time_point give_up_at_{};
};

}  // namespace proffer::live
