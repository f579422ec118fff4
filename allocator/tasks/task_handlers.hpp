// Messages of a framework about its tasks: ACKNOWLEDGE, KILL, MESSAGE, MORE_INPUTS, RELEASE.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Acknowledge& ack);
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Kill& kill);
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in,
            const TaskMessage& message);
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in,
            const MoreInputs& message);
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Release& release);

/// Notes that nobody waits for the owed status of a task any more, and acknowledges it to the agent.
void settle_owed(const Turn& turn, TaskRecord& task);
/// Asks the agent to end a task, now and again until it has.
void kill(const Turn& turn, TaskRecord& task, Duration grace);
/// Tells every connected agent that the outputs of all jobs of the framework may be deleted.
void release_everywhere(const Turn& turn, FrameworkRecord& framework);
/// Forgets a framework that was given up, once it has no tasks any more, and lets its outputs be deleted.
/// `framework` may be gone afterwards.
void remove_if_over(const Turn& turn, FrameworkRecord& framework);
/// Sends the unanswered LAUNCH, KILL or own status of a task again. Returns false when none was due.
bool resend_one(const Turn& turn);

}  // namespace proffer::allocator
