// The check whether the min shares of siblings can all be kept (SEMANTICS §1).
#pragma once

#include <vector>

#include "core/sharing/nodes.hpp"

namespace proffer::sharing {

/// Adds a warning for `pool`, which gets `share` when everybody wants more, and for each pool in it, where
/// the children are promised more. Leaves are left out: they come and go, and have no promises.
void find_broken_promises(const Nodes& nodes, NodeIndex pool, Kind kind, std::int64_t share,
                          std::vector<ShareTree::Warning>& warnings);

}  // namespace proffer::sharing
