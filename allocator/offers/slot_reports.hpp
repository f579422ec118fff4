// Reports of agents on their slots: with AllocatorConfig::report_period, slots are offered only with them, as
// Hadoop's task trackers got their work with their heartbeats (SEMANTICS §13). For research. Between its
// reports the slots of an agent are closed.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Closes the slots of an agent that has registered, until its first report: the pass that follows must not
/// offer them all together. Does nothing without a report period.
void await_report(State& state, AgentRecord& agent);

void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const SlotReport& report);

}  // namespace proffer::allocator
