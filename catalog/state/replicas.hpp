// The replicas of a block that readers are told about.
#pragma once

#include <vector>

#include "catalog/state/state.hpp"

namespace proffer::catalog {

/// Returns the agents whose replicas count, by id. A replica of another length does not count, nor does one
/// that is to be deleted. One that its writer has just stored, and its agent has not reported yet, does: or a
/// new file could not be read for a moment.
std::vector<Replica> live_replicas(const State& state, BlockId block, std::uint64_t length);

}  // namespace proffer::catalog
