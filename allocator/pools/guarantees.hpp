// Min shares that promise more than the cluster can keep.
#pragma once

#include <string>
#include <vector>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Returns a sentence for each promise that is broken now, and traces those that were kept at the last look.
/// Siblings whose min shares come to more than the cluster has get less than promised, all in proportion
/// (SEMANTICS §1), and a min share of a kind that no agent has counts for nothing. Returns none while there
/// are no agents.
std::vector<std::string> look_at_guarantees(const Turn& turn);

/// Schedules a look after agents came or went. Agents do so together, as after a restart, so the look waits
/// until they have settled.
void look_at_guarantees_soon(const Turn& turn);
/// Makes the scheduled look if it is due. Returns whether it was.
bool look_if_due(const Turn& turn);

}  // namespace proffer::allocator
