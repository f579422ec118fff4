// States of tasks: LAUNCH_ACK, STATUS and MESSAGE from agents, and the states that the allocator alone can
// write (UNREACHABLE, LOST, DROPPED).
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const LaunchAck& ack);
void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const Status& status);
void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const TaskMessage& message);

/// Writes a state that no agent reports. The framework is told until it acknowledges; a task of a removed
/// framework is forgotten when it ends. `task` may be gone afterwards.
void write_state(const Turn& turn, TaskRecord& task, TaskState state, TaskReason reason, std::string why);

}  // namespace proffer::allocator
