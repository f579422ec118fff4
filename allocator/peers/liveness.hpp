// Who is silent for how long, and heartbeats to everybody. In own time: see OwnTime.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// To be called when a session opens.
void watch(const Turn& turn, AgentRecord& agent);
void watch(const Turn& turn, FrameworkRecord& framework);
/// Any valid message counts as a sign of life (H1).
void heard(const Turn& turn, AgentRecord& agent);
void heard(const Turn& turn, FrameworkRecord& framework);

/// Each judges the next that is due, and says whether there was one.
bool judge_agent(const Turn& turn);
bool judge_framework(const Turn& turn);
bool beat(const Turn& turn);
/// Drops deadlines that are void, so that nobody is woken for them.
void settle_agent_silence(State& state);
void settle_framework_silence(State& state);

}  // namespace proffer::allocator
