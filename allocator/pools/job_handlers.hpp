// KILL_JOB and MOVE_JOB: the allocator knows no jobs, so it asks the framework whose job it is, and tells the
// operator what that says.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, const MessageReceived& in, const KillJob& message);
void handle(const Turn& turn, const MessageReceived& in, const MoveJob& message);
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in,
            const AdminDone& message);
/// Its session is over: what it has not answered it never will.
void forget_job_changes(const Turn& turn, const FrameworkRecord& framework);
/// Gives up the next that is due; whether there was one.
bool give_up_job_change(const Turn& turn);

}  // namespace proffer::allocator
