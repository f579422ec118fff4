// The bytes that a job reads, shuffles and writes.
#pragma once

#include <cstdint>

#include "proffer/study/workload.hpp"

namespace proffer::study {

/// Bytes.
struct Volumes {
  std::uint64_t input = 0;
  std::uint64_t shuffle = 0;  ///< output of the maps for the reduces
  std::uint64_t output = 0;   ///< output of the reduces, or of the maps where there are none
};
Volumes volumes_of(const Workload& workload, const WorkloadJob& job);

}  // namespace proffer::study
