// Rules for changes of pools while the allocator runs. Pure.
#pragma once

#include <optional>
#include <vector>

#include "allocator/state/state.hpp"
#include "proffer/messages/admin.hpp"
#include "proffer/result.hpp"

namespace proffer::allocator {

/// Returns all pools as they would be after that change; or `invalid`, `exists` or `unknown_pool`.
Result<std::vector<AllocatorPool>> changed_pools(const State& state, const ChangePool& change);

/// Refuses pools with which the allocator cannot go on: one that is wrong in itself or beside the others, or
/// the loss of a pool that has a framework in it. Pools that are not refused can be read back from a file at
/// the next start.
std::optional<Error> refuse_pools(const State& state, const std::vector<AllocatorPool>& pools);

/// Refuses to move a framework that is not known, or into a pool that does not exist.
std::optional<Error> refuse_move(const State& state, const MoveFramework& move);

/// Returns the framework of that name that was heard from last; null: there is none.
const FrameworkRecord* named(const FrameworkTable& frameworks, const std::string& name);
/// Returns the framework if it is the only one beside that of drivers, and null otherwise.
const FrameworkRecord* only(const FrameworkTable& frameworks);

}  // namespace proffer::allocator
