// The description of a leaf of the share tree: a framework (in the allocator), or a job (in a framework).
#pragma once

#include <cstdint>
#include <string>

#include "proffer/pool.hpp"
#include "proffer/time.hpp"

namespace proffer {

struct LeafSpec {
  std::string name;
  std::int64_t weight_milli = 1000;
  std::uint64_t submitted = 0;  ///< orders ties, FIFO pools and waiting leaves
  Priority priority = Priority::normal;
  std::string user = {};
  Time due = Time::max();  ///< pools of order `deadline` serve the earliest first
};

}  // namespace proffer
