// The fates of tasks that the allocator may not have told of: RECONCILE, RECONCILED, and the digests in
// heartbeats.
#pragma once

#include "frameworks/session/turn.hpp"

namespace proffer::frameworks {

void handle(const Turn& turn, const MessageReceived& in, const Heartbeat& beat);
void handle(const Turn& turn, const MessageReceived& in, const Reconciled& page);
/// No open ACCEPT will be answered any more: nobody knows whether its tasks were launched.
void forget_accepts(const Turn& turn);
/// Another life of the allocator than that of the former session: it answers no ACCEPT of before, and may not
/// have got, or may have forgotten, what that one was told. All tasks are asked about.
void doubt_all(const Turn& turn);
/// Sends the questions that are due.
void send_due_questions(const Turn& turn);

}  // namespace proffer::frameworks
