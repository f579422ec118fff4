// The shim of a run: a process that is the parent of the task and of all that the task leaves behind, holds its
// pipes, and records its end. Agents and launchers may die and come back meanwhile. It is forked by the launcher
// and runs no program of its own: what it needs is in memory already, and shared with all other shims.
#pragma once

#include <sys/types.h>

#include <initializer_list>
#include <string>

#include "live/run/packet.hpp"
#include "live/run/packet_channel.hpp"
#include "live/run/run_folders.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// Descriptors below this one are kept free for tasks, see start_process().
inline constexpr int kFirstOwnDescriptor = 16;

inline constexpr const char* kShimName = "proffer-shim";  ///< as `ps -o comm` shows it

/// The launcher's end of a shim.
struct ShimEnd {
  PacketChannel channel;
  pid_t pid = -1;
};

/// Starts a run of its own folder, which is there and empty. `boot` goes into the record of its start. Must be
/// called in a process of one thread. The error is this machine's.
Result<ShimEnd> start_shim(const RunFolders& folders, const Packet& spawn, const std::string& boot);

/// Returns a descriptor that tells of these signals, which are blocked from now on; no others are.
Descriptor signals_as_events(std::initializer_list<int> numbers);

}  // namespace proffer::live
