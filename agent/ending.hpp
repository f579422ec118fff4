// The ends of tasks: runs are asked to end, and statuses tell of it.
#pragma once

#include "agent/turn.hpp"

namespace proffer::agent {

/// Sends SIGTERM now, and SIGKILL after `grace`. Asking again can only bring the SIGKILL forward.
void ask_to_end(const Turn& turn, Run& run, TaskReason why, Duration grace);
/// Sends SIGKILL to those whose grace is over.
void kill_overdue(const Turn& turn);

/// Queues a status; `status` has all but its number and the agent. It leaves with send_due_statuses().
void report(const Turn& turn, LaunchId launch, TaskStatus status);
/// Sends the statuses that are due, while there is a session.
void send_due_statuses(const Turn& turn);

}  // namespace proffer::agent
