// Whether the cluster can keep what min shares promise.
#pragma once

#include <string>
#include <vector>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Siblings whose min shares come to more than the cluster has get less than promised, all in proportion
/// (SEMANTICS §1), and a min share of a kind that no agent has counts for nothing. A sentence for each that
/// is so now; what was not so at the last look is traced as well. None while there are no agents.
std::vector<std::string> look_at_guarantees(const Turn& turn);

/// Agents came or went. They do so together, as after a restart, so the look waits until they have settled.
void look_at_guarantees_soon(const Turn& turn);
/// The look that was put off, if it is due.
bool look_if_due(const Turn& turn);

}  // namespace proffer::allocator
