// DESCRIBE: the state of the cluster for people who look, in pages.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, const MessageReceived& in, const Describe& describe);

}  // namespace proffer::allocator
