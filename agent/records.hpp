// The records of launches, which outlive the agent.
#pragma once

#include "agent/turn.hpp"

namespace proffer::agent {

/// Keeps what is known of a launch now, in the place of what was kept of it before.
void keep(const Turn& turn, LaunchId launch);
/// Drops the records of launches that were settled so long ago that nobody can ask for them any more.
void drop_oldest(const Turn& turn);

}  // namespace proffer::agent
