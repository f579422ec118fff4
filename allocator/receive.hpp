// The way of a message to its handler: an explicit list of messages for each kind of sender.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Checks the cluster, the session and the sequence number of a message, and hands it to its handler or
/// refuses it.
void handle(const Turn& turn, const MessageReceived& in);

}  // namespace proffer::allocator
