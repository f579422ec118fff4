// Changes of jobs that an operator wants, KILL_JOB and MOVE_JOB, and ADMIN_DONE: what the scheduler says.
#pragma once

#include "frameworks/session/turn.hpp"

namespace proffer::frameworks {

void handle(const Turn& turn, const MessageReceived& in, const KillJob& kill);
void handle(const Turn& turn, const MessageReceived& in, const MoveJob& move);

}  // namespace proffer::frameworks
