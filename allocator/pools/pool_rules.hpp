// Whether pools may be changed while the allocator runs. Pure.
#pragma once

#include <optional>
#include <vector>

#include "allocator/state/state.hpp"
#include "proffer/messages/admin.hpp"
#include "proffer/result.hpp"

namespace proffer::allocator {

/// All pools as they would be after that change. `invalid`, `exists`, `unknown_pool`: a sentence.
Result<std::vector<AllocatorPool>> changed_pools(const State& state, const ChangePool& change);

/// Why the allocator cannot go on with these pools instead of those that it has: one that is wrong in itself
/// or beside the others, or was taken from under a framework. What is not refused can be read back from a
/// file at the next start.
std::optional<Error> refuse_pools(const State& state, const std::vector<AllocatorPool>& pools);

/// Why it cannot be moved.
std::optional<Error> refuse_move(const State& state, const MoveFramework& move);

/// The framework of that name that came last; null: none.
const FrameworkRecord* named(const FrameworkTable& frameworks, const std::string& name);
/// The only framework; null: there is none, or another as well.
const FrameworkRecord* only(const FrameworkTable& frameworks);

}  // namespace proffer::allocator
