// The launcher: a small process that spawns, watches and reaps the tasks of one agent. Small, because
// spawning from a large process is slow, and a process of its own, because an agent with threads must not
// fork.
#pragma once

#include "live/os/descriptor.hpp"

namespace proffer::live {

/// Serves the agent at the other end of `socket` until that end is closed or the agent has died; then all
/// that tasks have started is killed. Returns an exit code. Descriptors 0 to 15 must be taken or of no
/// matter: what is opened here has to lie above those that tasks get.
int run_launcher(Descriptor socket);

}  // namespace proffer::live
