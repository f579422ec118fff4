// Agents come to pools that want some for themselves, and go back (private_agents).
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Notes who wants slots and who wants none any more, and assigns agents to those who wait, in the order in
/// which they asked. Before each pass.
void assign_private_agents(const Turn& turn);
/// Takes back the agents of one pool whose time is over; false when there is none.
bool return_private_agents(const Turn& turn);

}  // namespace proffer::allocator
