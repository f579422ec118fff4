// Changes of jobs that an operator wants, KILL_JOB and MOVE_JOB, and detached jobs, SUBMIT_JOB and
// DESCRIBE_JOBS; and ADMIN_DONE or DETACHED_JOBS: what the scheduler says.
#pragma once

#include "frameworks/session/turn.hpp"

namespace proffer::frameworks {

void handle(const Turn& turn, const MessageReceived& in, const KillJob& kill);
void handle(const Turn& turn, const MessageReceived& in, const MoveJob& move);
void handle(const Turn& turn, const MessageReceived& in, const SubmitJob& job);
void handle(const Turn& turn, const MessageReceived& in, const DescribeJobs& wanted);

}  // namespace proffer::frameworks
