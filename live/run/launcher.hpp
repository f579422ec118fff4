// The launcher: a small process that starts a shim for each run of one agent, and carries packets between them
// and the agent. Small, because starting a process from a large one is slow, and a process of its own, because an
// agent with threads must not fork. It outlives the agent, and runs outlive it.
#pragma once

#include <chrono>
#include <string>

#include "live/os/descriptor.hpp"

namespace proffer::live {

/// Names of files in the agent's folder, beside the socket (kLauncherSocket).
inline constexpr const char* kLauncherToken = "launcher.token";
inline constexpr const char* kLauncherLog = "launcher.log";

/// Serves agents that connect at the socket in `dir`, of which `first` is one, until it is told to end, or there
/// has been neither agent nor run for so long. Returns an exit code. Descriptors 0 to 15 must be taken or of no
/// matter: what is opened here has to lie above those that tasks get.
int run_launcher(const std::string& dir, Descriptor first, std::chrono::milliseconds idle);

}  // namespace proffer::live
