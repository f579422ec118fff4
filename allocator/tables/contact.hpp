// The connection of an agent or a framework, and the signs of life that come through it.
#pragma once

#include <optional>

#include "allocator/tables/session.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

/// Invariant: while there is a session, the peer table names the record as the speaker of its peer.
struct Contact {
  std::optional<Session> session;        ///< none: the peer has to say hello again
  Time heard;                            ///< the newest sign of life, in this session or a former one
  std::optional<Time> check_silence_at;  ///< when its silence is judged next; see liveness.hpp
};

}  // namespace proffer::allocator
