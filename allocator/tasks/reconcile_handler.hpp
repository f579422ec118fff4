// RECONCILE: what has become of a framework's tasks.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in,
            const Reconcile& message);

}  // namespace proffer::allocator
