// Silence of agents and frameworks. Silence is measured in own time (OwnTime),
// so no peer is blamed while this process does not run.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Schedules the first look at the silence of a peer. To be called when its session opens.
void watch(const Turn& turn, AgentRecord& agent);
void watch(const Turn& turn, FrameworkRecord& framework);
/// Notes a sign of life: any message of the session.
void heard(const Turn& turn, AgentRecord& agent);
void heard(const Turn& turn, FrameworkRecord& framework);

/// Judges the agent, or framework, that is due next. Returns false when none is due.
bool judge_agent(const Turn& turn);
bool judge_framework(const Turn& turn);
/// Drops void deadlines, so that nobody is woken for them.
void settle_agent_silence(State& state);
void settle_framework_silence(State& state);

}  // namespace proffer::allocator
