// How the jobs of one framework share its slots.
#pragma once

#include <cstdint>

namespace proffer {

/// Who comes first: the job with fewest running tasks (ties: submitted first), or the one submitted first, as
/// the scheduling modes of a Hadoop pool.
enum class JobMode : std::uint8_t { fair, fifo };

}  // namespace proffer
