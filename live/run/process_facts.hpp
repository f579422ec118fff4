// Facts about processes and their host, as /proc has them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "proffer/time.hpp"

namespace proffer::live {

/// Returns the name of this boot of the host; no two boots have the same. Empty when it cannot be read.
std::string boot_of_host();
/// Returns when a process began, in ticks since the boot: with the pid it names a process for good. 0: there is
/// no such process.
std::uint64_t start_time_of(pid_t pid);
/// Returns the time since then.
Duration age_since(std::uint64_t start_time);

/// Kills every process that has the line NAME=VALUE (`mark`) in its environment, and those that they start
/// meanwhile. A process is held by a descriptor while it is looked at, so none that has got the pid of another
/// is hit. False when some would not die within a second.
bool kill_marked(const std::string& mark);

}  // namespace proffer::live
