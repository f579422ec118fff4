// The ends of tasks: runs are asked to end, and statuses tell of it.
#pragma once

#include <string>

#include "agent/turn.hpp"

namespace proffer::agent {

/// Sends SIGTERM now, and SIGKILL after `grace`. Asking again can only bring the SIGKILL forward.
void ask_to_end(const Turn& turn, Run& run, TaskReason why, Duration grace);
/// Sends SIGKILL to those whose grace is over.
void kill_overdue(const Turn& turn);

/// Returns a status of a run with all that the run knows.
TaskStatus status_of(const Run& run, TaskState state, TaskReason reason, std::string why = {});
/// Keeps a status, and queues it; `status` has all but its number and the agent. It leaves with
/// send_due_statuses(). A run that has ended is no run any more before its end is reported.
void report(const Turn& turn, LaunchId launch, TaskStatus status);
/// Sends the statuses that are due, while there is a session.
void send_due_statuses(const Turn& turn);
/// Reports on the slots when that is due; the ends of tasks that were held back for it have been sent before.
void report_slots(const Turn& turn);

}  // namespace proffer::agent
