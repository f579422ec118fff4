// The launcher: a small process that spawns, watches and reaps the tasks of one agent. Small, because
// spawning from a large process is slow, and a process of its own, because an agent with threads must not
// fork.
#pragma once

namespace proffer::live {

/// Serves the agent at the other end of `socket` until that end is closed; then every task still running is
/// killed. Returns an exit code.
int run_launcher(int socket);

}  // namespace proffer::live
