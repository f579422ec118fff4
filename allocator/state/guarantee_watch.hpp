// The min shares that cannot be kept, as far as they are known, and when they are looked at next; see
// guarantees.hpp.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "proffer/resources.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

/// The siblings in that pool are promised more than there is; or (`unknown`) the pool's own min share is of
/// slots that no agent has.
struct BrokenGuarantee {
  std::string pool;
  Kind kind;
  bool unknown = false;
  auto operator<=>(const BrokenGuarantee&) const = default;
};

/// The guarantees that were found broken. Invariant: a guarantee is in `warned_of` exactly if it was broken
/// at the last look, so each break is traced once.
struct GuaranteeWatch {
  std::set<BrokenGuarantee> warned_of;
  std::optional<Time> next_look;
};

}  // namespace proffer::allocator
