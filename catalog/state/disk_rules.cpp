#include "catalog/state/disk_rules.hpp"

namespace proffer::catalog {

Result<> may_grow(const State& state) {
  if (state.disk.room == Room::plenty) return {};
  return Error{ErrorCode::no_space,
               "the catalog's disk is full, so that files can only be removed: " + state.disk.why};
}

Result<> may_shrink(const State& state) {
  if (state.disk.room != Room::none) return {};
  return Error{ErrorCode::no_space, "the catalog's disk is full to the last byte: " + state.disk.why};
}

}  // namespace proffer::catalog
