// The identity of this life of the allocator, and the sources of the ids and secrets that it gives out.
#pragma once

#include <cstdint>
#include <optional>

#include "proffer/random.hpp"
#include "proffer/secret_source.hpp"
#include "proffer/session/server_session.hpp"

namespace proffer::allocator {

/// Invariant: cluster and epoch never change, and stand in all that is sent.
struct Identity {
  session::ServerIdentity server;  ///< cluster and epoch
  Random random;                   ///< draws ids, sessions and phases; the same seed gives the same ones
  SecretSource secrets;            ///< draws numbers that nobody may guess
  std::uint64_t incarnation = 0;   ///< tells this life from another of the same epoch
  std::optional<Epoch> superseded = {};  ///< a later epoch that a peer has seen
};

}  // namespace proffer::allocator
