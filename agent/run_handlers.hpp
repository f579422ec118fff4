// The doings of processes: they start, say something, ask for a permit to compute, end.
#pragma once

#include "agent/turn.hpp"

namespace proffer::agent {

void handle(const Turn& turn, const RunStarted& started);
void handle(const Turn& turn, const RunSaid& said);
void handle(const Turn& turn, const ComputeAsked& asked);
void handle(const Turn& turn, const RunExited& exited);

}  // namespace proffer::agent
