// Tasks, as the allocator tells of them: UPDATE, PREEMPT, MESSAGE; kills, and ends that no agent reports.
#pragma once

#include <string>

#include "frameworks/session/turn.hpp"

namespace proffer::frameworks {

void handle(const Turn& turn, const MessageReceived& in, const Update& update);
void handle(const Turn& turn, const MessageReceived& in, const Preempt& preempt);
void handle(const Turn& turn, const MessageReceived& in, const TaskMessage& message);

/// Tells the scheduler a status that nobody wants acknowledged.
void deliver(const Turn& turn, const TaskStatus& status);
/// Ends a task of which no agent will report the end. The scheduler hears of it in deliver_ends().
void report_end(const Turn& turn, const TaskId& task, TaskState end, TaskReason reason,
                const std::string& why);
void deliver_ends(const Turn& turn);
/// Sends kills again of tasks that have not ended in time.
void send_due_kills(const Turn& turn);

}  // namespace proffer::frameworks
