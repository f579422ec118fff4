// The end of this life in good order: tasks end first or live on, then the farewell; and farewells of the
// allocator.
#pragma once

#include "agent/turn.hpp"

namespace proffer::agent {

void handle(const Turn& turn, const Stopping& stopping);
/// The allocator ends in good order: the session is over, nothing else.
void handle(const Turn& turn, const MessageReceived& in, const Bye& bye);
/// Says farewell when all that was to end before has ended.
void tend_leave(const Turn& turn);
/// Returns whether nothing is left to do in this life.
bool has_left(const State& state);

}  // namespace proffer::agent
