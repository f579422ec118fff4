// The identity of this life of the allocator, and the sources of the ids and secrets that it gives out.
#pragma once

#include "proffer/ids.hpp"
#include "proffer/random.hpp"
#include "proffer/secret_source.hpp"

namespace proffer::allocator {

/// Invariant: cluster and epoch never change, and stand in all that is sent.
struct Identity {
  ClusterId cluster;
  Epoch epoch;
  Random random;         ///< of ids, sessions and phases; the same seed gives the same ones
  SecretSource secrets;  ///< of what nobody may guess
};

}  // namespace proffer::allocator
