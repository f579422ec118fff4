// The conversation with the allocator: REGISTER, REGISTERED, ERROR, HEARTBEAT, and silence.
#pragma once

#include "agent/turn.hpp"

namespace proffer::agent {

void handle(const Turn& turn, const MessageReceived& in, const Registered& registered);
void handle(const Turn& turn, const MessageReceived& in, const ErrorMessage& message);
/// A sign of life, which check() has counted.
inline void handle(const Turn&, const MessageReceived&, const Heartbeat&) {}
/// Refuses a message of an allocator of another cluster than ours; one that the agent is to change over to is
/// taken up.
void refuse_other_cluster(const Turn& turn, const MessageReceived& in);
/// Ends the session. Runs live on, and so does the conversation with the catalog.
void lose_allocator(const Turn& turn);
/// Gives up an allocator that is silent; registers, or beats, when it is time.
void tend_allocator(const Turn& turn);
std::optional<Time> allocator_deadline(const State& state);
/// Returns whether a session may be opened.
bool may_register(const State& state);

}  // namespace proffer::agent
