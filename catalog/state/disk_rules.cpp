#include "catalog/state/disk_rules.hpp"

namespace proffer {

Result<> may_grow(const CatalogState& state) {
  if (state.disk.room == Room::plenty) return {};
  return Error{ErrorCode::no_space,
               "the catalog's disk is full, so that files can only be removed: " + state.disk.why};
}

Result<> may_shrink(const CatalogState& state) {
  if (state.disk.room != Room::none) return {};
  return Error{ErrorCode::no_space, "the catalog's disk is full to the last byte: " + state.disk.why};
}

}  // namespace proffer
