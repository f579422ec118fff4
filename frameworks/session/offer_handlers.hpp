// Offers and the answers to accepts: OFFERS, RESCIND and ACCEPTED.
#pragma once

#include "frameworks/session/turn.hpp"

namespace proffer::frameworks {

void handle(const Turn& turn, const MessageReceived& in, const Offers& message);
void handle(const Turn& turn, const MessageReceived& in, const Rescind& rescind);
void handle(const Turn& turn, const MessageReceived& in, const Accepted& accepted);
/// Sends accepts again that were not answered in time.
void send_due_accepts(const Turn& turn);

}  // namespace proffer::frameworks
