// In which order a framework's jobs get its slots: the tree of its task pool, put together again.
#pragma once

#include <string>
#include <vector>

#include "study/why/scene.hpp"

namespace proffer::study::why {

struct JobPlaces {
  std::vector<JobId> order;  // of those that want a slot of the kind, the next one first
  std::vector<JobId> held;   // beyond a limit of a pool or user
};
JobPlaces job_places(const FrameworkScene& framework, Kind kind);

/// Tasks of a job and kind that wait.
std::int64_t waiting_of(const FrameworkScene& framework, const JobScene& job, Kind kind);

/// The limits that a leaf of that pool stands under, in words; "" when the log tells none.
std::string limit_of(const std::vector<PoolChanged>& pools, const std::string& pool, const char* whose);

}  // namespace proffer::study::why
