// The session with the allocator: SUBSCRIBE, SUBSCRIBED, ERROR, BYE, and what follows from a lost one.
#pragma once

#include "frameworks/session/turn.hpp"

namespace proffer::frameworks {

/// The first step: the scheduler may declare its demand before the first SUBSCRIBE.
void start(const Turn& turn);
void subscribe(const Turn& turn);
void handle(const Turn& turn, const MessageReceived& in, const Subscribed& subscribed);
void handle(const Turn& turn, const MessageReceived& in, const ErrorMessage& message);
void handle(const Turn& turn, const MessageReceived& in, const Bye& bye);
/// Ends the session, if one is open: its offers are void, and SUBSCRIBE follows.
void lose_session(const Turn& turn);
/// Tells the scheduler that the allocator refuses the framework for good, and finishes.
void fail(const Turn& turn, const Error& error);
void beat(const Turn& turn);
/// Takes the framework down, now or once there is a session again; its scheduler is not called any more.
void leave(const Turn& turn);

}  // namespace proffer::frameworks
