// KILL_JOB and MOVE_JOB; SUBMIT_JOB and DESCRIBE_JOBS, of detached jobs. The allocator knows no jobs, so it
// asks the framework whose job it is, and passes the answer on to who asked.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, const MessageReceived& in, const KillJob& message);
void handle(const Turn& turn, const MessageReceived& in, const MoveJob& message);
void handle(const Turn& turn, const MessageReceived& in, const SubmitJob& message);
void handle(const Turn& turn, const MessageReceived& in, const DescribeJobs& message);
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in,
            const AdminDone& message);
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in,
            const DetachedJobs& message);
/// Answers the operators who wait for a framework whose session is over: it will not answer any more.
void forget_job_changes(const Turn& turn, const FrameworkRecord& framework);
/// Gives up the change of a job that has waited for its framework for too long. Returns false when none has.
bool give_up_job_change(const Turn& turn);

}  // namespace proffer::allocator
