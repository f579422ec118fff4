// From a message to its handler: who may say what, and in which session.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, const MessageReceived& in);

}  // namespace proffer::allocator
