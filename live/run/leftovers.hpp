// Children that nobody waits for: orphans of tasks, which come to the shim since it is their subreaper.
#pragma once

#include <sys/types.h>

#include <functional>

namespace proffer::live {

/// Reaps every child that has ended. A leader of a run is not reaped, but named: `leader_ended` reaps it,
/// and returns false when this is no leader.
void reap_children(const std::function<bool(pid_t)>& leader_ended);

/// Kills and reaps all children, and theirs, whatever group they are in. Gives up after a second: what cannot
/// die (a process in the kernel, for instance) is left to init.
void end_all_children();

}  // namespace proffer::live
