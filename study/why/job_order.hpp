// The order in which a framework's jobs get its slots: the tree of its task pool, put together again.
#pragma once

#include <string>
#include <vector>

#include "study/why/scene.hpp"

namespace proffer::study::why {

struct JobPlaces {
  std::vector<JobId> order;  // of those that want a slot of the kind, the next one first
  std::vector<JobId> held;   // beyond a limit of a pool or user
};
/// `entitled`: slots of that kind that the framework is entitled to.
JobPlaces job_places(const FrameworkScene& framework, Kind kind, std::int64_t entitled);

/// Normal where the log does not tell.
Priority priority_of(const JobScene& job);

/// Tasks of a job and kind that wait, run (or have a slot), or finished.
std::int64_t waiting_of(const FrameworkScene& framework, const JobScene& job, Kind kind);
std::int64_t running_of(const FrameworkScene& framework, const JobScene& job, Kind kind);
std::int64_t done_of(const JobScene& job, Kind kind);

/// The limits that a leaf of that pool and user stands under, in words; "" when the log tells none.
struct Limits {
  std::vector<PoolChanged> pools;
  std::map<std::string, std::uint32_t> users;
};
std::string limit_of(const Limits& limits, const std::string& pool, const std::string& user,
                     const char* whose);

}  // namespace proffer::study::why
