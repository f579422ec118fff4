// One run in the launcher: a process group, the pipes to it, and the files its output goes to.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "live/run/descriptor.hpp"
#include "live/run/packet.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

class LaunchedRun {
 public:
  /// Spawns it in its sandbox (`spawn.text`): stdin from /dev/null, stdout and stderr to files of those
  /// names, capped. `io` says why it could not be started.
  static Result<LaunchedRun> start(const Packet& spawn);

  LaunchId launch() const { return launch_; }
  pid_t pid() const { return pid_; }
  /// Descriptors to wait on for input now, and the one (or -1) to wait on for room.
  std::vector<int> readable() const;
  int writable() const { return pending_.empty() ? -1 : deliver_.get(); }

  /// Moves what has come from `fd`; returns what the task said meanwhile.
  std::vector<std::string> pump(int fd);
  void deliver(std::string_view bytes);
  void push();

  void ended(ExitStatus exit) { exit_ = exit; }
  const std::optional<ExitStatus>& exit() const { return exit_; }
  bool pipes_open() const { return streams_[0].pipe.open() || streams_[1].pipe.open() || said_.open(); }
  void close_pipes();
  bool has_result() const { return result_.has_value(); }
  std::string take_result() { return result_ ? std::move(*result_) : std::string(); }

 private:
  struct Stream {
    Descriptor pipe;
    Descriptor file;
    std::uint64_t written = 0;
    bool cut = false;
  };
  void keep(Stream& stream, std::string_view bytes) const;
  std::vector<std::string> take_frames();

  LaunchId launch_;
  pid_t pid_ = -1;
  std::uint64_t cap_ = 0;
  std::array<Stream, 2> streams_;
  Descriptor said_;     // what the task writes for us
  Descriptor deliver_;  // what we write for the task
  std::string frames_;  // read from said_, not yet whole
  std::string pending_;
  std::optional<std::string> result_;
  std::optional<ExitStatus> exit_;
};

}  // namespace proffer::live
