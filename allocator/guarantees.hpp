// Whether the cluster can keep what min shares promise.
#pragma once

#include "allocator/turn.hpp"

namespace proffer::allocator {

/// Siblings whose min shares come to more than the cluster has get less than promised, all in proportion
/// (SEMANTICS §1). Traced once a pool and kind; to be called when a framework comes, since while agents come
/// first it is always so.
void warn_of_broken_guarantees(const Turn& turn);

}  // namespace proffer::allocator
