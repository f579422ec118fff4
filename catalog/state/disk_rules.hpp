// What may still change while the disk on which names are kept is full.
#pragma once

#include "catalog/state/catalog_state.hpp"

namespace proffer {

/// Whether names can be made or changed. `no_space`.
Result<> may_grow(const CatalogState& state);
/// Whether names can be forgotten, which takes little room, and gives back more. `no_space`.
Result<> may_shrink(const CatalogState& state);

}  // namespace proffer
