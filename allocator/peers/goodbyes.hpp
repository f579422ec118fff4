// Ends in good order: BYE from a peer whose process ends, and to all peers when this one does.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Ends the session, as if its connection was lost; the tasks run on.
void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const Bye& bye);
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Bye& bye);

/// Takes all offers back and tells everybody, since this process is about to end. Nothing is offered, and
/// nobody admitted, any more.
void handle(const Turn& turn, const Stopping& stopping);

}  // namespace proffer::allocator
