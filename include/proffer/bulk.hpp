// Bulk resources: kinds of which a task takes a quantity of its own, and several at once: processors, memory,
// GPUs. Slots are counted; bulk resources are measured.
//
// What is free of them on an agent is offered under the kind `cpus`, as much as tasks take: the other kinds
// ride along, since a task that runs takes some processors in any case (SEMANTICS §2).
#pragma once

#include <array>
#include <cstdint>

#include "proffer/limits.hpp"
#include "proffer/resources.hpp"

namespace proffer {

inline const Kind kCpus{"cpus"};      ///< in thousandths of a processor
inline const Kind kMemory{"memory"};  ///< in MiB
inline const Kind kGpus{"gpus"};
inline const std::array<Kind, 3> kBulkKinds{kCpus, kGpus, kMemory};  // sorted by name

inline bool is_bulk(Kind kind) { return kind == kCpus || kind == kMemory || kind == kGpus; }
/// Returns whether resources of the kind are offered with `cpus`, and never by themselves.
inline bool rides_along(Kind kind) { return kind == kMemory || kind == kGpus; }
/// Returns how much of a kind an agent may have at most.
inline std::int64_t most_per_agent(Kind kind) {
  return is_bulk(kind) ? limits::kBulkPerAgent : limits::kSlotsPerAgent;
}
/// Returns the number of tasks, of `need` each, that `room` holds. Aborts when they need nothing.
std::int64_t tasks_in(const Resources& room, const Resources& need);

}  // namespace proffer
