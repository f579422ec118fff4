// The agent's end of its launcher: the process, and the socket to it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <utility>

#include "live/run/packet_channel.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

class LauncherProcess {
 public:
  /// `io`: the program cannot be started.
  static Result<std::unique_ptr<LauncherProcess>> start(const std::string& program);
  LauncherProcess(const LauncherProcess&) = delete;
  LauncherProcess& operator=(const LauncherProcess&) = delete;
  /// Closes the channel, upon which the launcher ends all tasks and itself; after 5 s it is killed.
  ~LauncherProcess();

  PacketChannel& channel() { return channel_; }

 private:
  LauncherProcess(pid_t pid, Descriptor socket) : pid_(pid), channel_(std::move(socket)) {}
  pid_t pid_;
  PacketChannel channel_;
};

}  // namespace proffer::live
