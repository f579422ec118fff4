// Agents that come: REGISTER.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, const MessageReceived& in, const Register& message);

}  // namespace proffer::allocator
