// Changes that are still allowed while the disk on which names are kept is full.
#pragma once

#include "catalog/state/state.hpp"

namespace proffer::catalog {

/// Returns whether names can be made or changed; `no_space` otherwise.
Result<> may_grow(const State& state);
/// Returns whether names can be forgotten, which takes little room, and gives back more; `no_space`
/// otherwise.
Result<> may_shrink(const State& state);

}  // namespace proffer::catalog
