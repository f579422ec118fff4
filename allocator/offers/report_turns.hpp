// For research: an agent whose slots are offered only with its periodic report, one of each kind a report, as
// Hadoop's task trackers got their work with their heartbeats (SEMANTICS §13). Between reports its slots are
// closed.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// The first report comes at a random time within a period, as nothing keeps agents in step. Nothing when the
/// setting is off.
void start_reports(const Turn& turn, AgentRecord& agent);
/// The next report that is due. False when there is none.
bool report_one(const Turn& turn);
/// To be called before the time of the next report is believed.
void settle_reports(State& state);

}  // namespace proffer::allocator
