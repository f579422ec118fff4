// The catalog's heartbeats: which agents are silent, and which answers are overdue.
#pragma once

#include "catalog/state/turn.hpp"

namespace proffer::catalog {

/// Forgives all agents their silence while the catalog itself did not run (a stopped process, a machine
/// asleep); called in every step before its event.
void notice_pause(const Turn& turn);

/// Once a heartbeat, while there are agents: sends one to every agent, marks silent agents, and sends again
/// what seems to have been lost. What is only checked here needs no deadline of its own.
void keep_heartbeats(const Turn& turn);

}  // namespace proffer::catalog
