// Frameworks that come and go: SUBSCRIBE, TEARDOWN.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, const MessageReceived& in, const Subscribe& message);
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in,
            const Teardown& teardown);

}  // namespace proffer::allocator
