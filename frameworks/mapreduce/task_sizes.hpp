// The number of tasks of a kind that fit into one message, whatever job they are of.
//
// Invariant: no job that was included has a task whose description is larger.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "proffer/limits.hpp"

namespace proffer::mapreduce {

/// The bytes that the tasks of one message may take together.
inline constexpr std::size_t kTaskBytesPerMessage = limits::kFrameBytes * 3 / 4;

/// Upper bounds on the descriptions of tasks, in bytes on the wire.
class TaskSizes {
 public:
  /// Includes a job: the largest of its maps, and of its reduces.
  void include(std::size_t map_bytes, std::size_t reduce_bytes) {
    largest_map_ = std::max(largest_map_, map_bytes);
    largest_reduce_ = std::max(largest_reduce_, reduce_bytes);
  }
  /// The number of maps (or else reduces) that fit: at least one, and at most limits::kTasksPerAccept.
  std::int64_t per_message(bool map) const {
    const auto most = kTaskBytesPerMessage / (map ? largest_map_ : largest_reduce_);
    return static_cast<std::int64_t>(std::clamp<std::size_t>(most, 1, limits::kTasksPerAccept));
  }

 private:
  std::size_t largest_map_ = 1;
  std::size_t largest_reduce_ = 1;
};

}  // namespace proffer::mapreduce
