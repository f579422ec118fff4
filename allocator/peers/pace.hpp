// Frameworks that do not keep up: silent ones, and those that read more slowly than they are sent to. Such a
// framework is held back, so that it costs the others nothing: no new offers, and what it was offered is
// taken back. Its tasks run on, and it goes on where it was as soon as it has caught up.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Notes how far a framework is behind. Of a peer that is no framework nothing follows.
void handle(const Turn& turn, const PeerLag& news);

/// Notes that the framework has been silent for a while, or that it is not any more.
void fall_mute(const Turn& turn, FrameworkRecord& framework);
void speak_again(const Turn& turn, FrameworkRecord& framework);

/// Sends all statuses that the framework has not acknowledged.
void send_owed(const Turn& turn, FrameworkRecord& framework);

}  // namespace proffer::allocator
