// How tasks come to their end: asking runs, and the statuses that tell of it.
#pragma once

#include "agent/agent_parts.hpp"

namespace proffer {

/// SIGTERM now, SIGKILL after `grace`. Asking again can only bring the SIGKILL forward.
void ask_to_end(Run& run, TaskReason why, Duration grace, Turn turn);
/// SIGKILL to those whose grace is over.
void kill_overdue(AgentParts& state, Turn turn);

/// Queues a status; `status` has all but its number and the agent. It leaves with send_due_statuses.
void report(AgentParts& state, LaunchId launch, TaskStatus status, Turn turn);
/// Those that are due, while there is a session.
void send_due_statuses(AgentParts& state, Turn turn);

}  // namespace proffer
