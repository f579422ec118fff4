// Messages outside of the sessions that machines have.
#pragma once

#include <utility>

#include "proffer/message.hpp"

namespace proffer::live {

/// Returns a message without a cluster, an epoch and a number: the form of those to and from data ports, and,
/// with a session, of those to the catalog.
inline Envelope bare_envelope(Message message, SessionId session = {}) {
  Envelope envelope;
  envelope.session = session;
  envelope.message = std::move(message);
  return envelope;
}

}  // namespace proffer::live
