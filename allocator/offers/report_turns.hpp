// Agents whose slots are offered only with their periodic reports, one slot of each kind a report, as
// Hadoop's task trackers got their work with their heartbeats (SEMANTICS §13). For research. Between its
// reports the slots of an agent are closed.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Schedules the first report of an agent, at a random time within a period: nothing keeps agents in step.
/// Does nothing without AllocatorConfig::report_period.
void start_reports(const Turn& turn, AgentRecord& agent);
/// Does the next report that is due. Returns false when there is none.
bool report_one(const Turn& turn);
/// Drops void deadlines. To be called before the time of the next report is believed.
void settle_reports(State& state);

}  // namespace proffer::allocator
