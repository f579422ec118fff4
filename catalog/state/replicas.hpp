// Which replicas of a block readers are told of.
#pragma once

#include <vector>

#include "catalog/state/catalog_state.hpp"

namespace proffer {

/// Agents whose replicas count, by id; a replica of another length is none, nor is one that is to be deleted.
/// One that its writer has just stored, and its agent has not reported yet, is among them: or a new file
/// could not be read for a moment.
std::vector<Replica> live_replicas(const CatalogState& state, BlockId block, std::uint64_t length);

}  // namespace proffer
