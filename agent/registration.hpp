// The conversation with the allocator: REGISTER, REGISTERED, ERROR, HEARTBEAT, and silence.
#pragma once

#include "agent/turn.hpp"

namespace proffer::agent {

void handle(const Turn& turn, const MessageReceived& in, const Registered& registered);
void handle(const Turn& turn, const MessageReceived& in, const ErrorMessage& message);
/// A sign of life, which check() has counted.
inline void handle(const Turn&, const MessageReceived&, const Heartbeat&) {}
/// Refuses a message of an allocator of another cluster than ours.
void refuse_other_cluster(const Turn& turn, const MessageReceived& in);
/// Ends the session. Runs live on, and so does the conversation with the catalog.
void lose_allocator(const Turn& turn);
/// Gives up an allocator that is silent; registers, or beats, when it is time.
void tend_allocator(const Turn& turn);

}  // namespace proffer::agent
