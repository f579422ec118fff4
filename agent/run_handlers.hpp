// The doings of processes: they start, say something, ask for a permit to compute, end; and what became of
// those of former lives.
#pragma once

#include "agent/turn.hpp"

namespace proffer::agent {

void handle(const Turn& turn, const RunStarted& started);
void handle(const Turn& turn, const RunSaid& said);
void handle(const Turn& turn, const ComputeAsked& asked);
void handle(const Turn& turn, const RunExited& exited);

/// Takes up a run of a former life that lives, and began so long ago. A run that was asked to end is asked
/// again: the signal may have been lost with that life.
void go_on(const Turn& turn, Run& run, Duration age);
/// Ends a run of a former life of which nothing is left.
void vanish(const Turn& turn, LaunchId launch);
/// Ends a run of another boot of the host.
void perish(const Turn& turn, LaunchId launch);

}  // namespace proffer::agent
