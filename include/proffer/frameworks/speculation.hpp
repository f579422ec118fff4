// Speculative execution: a second attempt at a map that runs for long, a backup, and the first of the two to
// be done counts. After LATE (Zaharia et al., "Improving MapReduce Performance in Heterogeneous
// Environments", OSDI 2008, §4), but without reports of progress: SEMANTICS §8 has the rule, DECISIONS D108
// what differs.
#pragma once

#include <cstdint>

#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer {

struct Speculation {
  bool on = false;
  /// Backups at once, in thousandths of the most maps that the framework ran at once since it last ran none;
  /// at least one (LATE's SpeculativeCap).
  std::int64_t cap_milli = 100;
  /// A map is slow that takes so many thousandths of the median of its job, and an agent where maps do.
  std::int64_t slowness_milli = 1500;
  /// The time for which a map must have run before it may have a backup (Hadoop's, one minute).
  Duration after = std::chrono::minutes(1);
};

/// Returns whether these may be a framework's: else `invalid` for a cap outside of 1 to 1000, a slowness that
/// is not above 1000, and a time below 0.
Result<> check_speculation(const Speculation& rules);

}  // namespace proffer
