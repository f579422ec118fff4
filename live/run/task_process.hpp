// A new process for a task, and our ends of the pipes to it.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "live/os/descriptor.hpp"
#include "live/run/packet.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

enum class Channel : std::uint8_t {
  out,      ///< the task's stdout
  err,      ///< the task's stderr
  reports,  ///< the task's kResultFd
  deliver,  ///< the task's kDeliverFd
};

struct TaskProcess {
  pid_t pid = -1;
  std::array<Descriptor, 4> channels;

  Descriptor& at(Channel channel) { return channels[static_cast<std::size_t>(channel)]; }
  const Descriptor& at(Channel channel) const { return channels[static_cast<std::size_t>(channel)]; }
};

/// Called with the process of a task before its program begins; an error keeps the program from it.
using BeforeProgram = std::function<Result<>(pid_t)>;

/// Starts the leader of a process group of its own, in the folder `spawn.text`, stdin empty, all signals as
/// by default, nothing else of ours open, which dies with the process that called this. Our ends do not block.
/// Must be called in a process of one thread. `invalid`: there is no such program, or it is none, whoever
/// starts it; any other error is of this machine.
Result<TaskProcess> start_process(const Packet& spawn, const BeforeProgram& before);

}  // namespace proffer::live
