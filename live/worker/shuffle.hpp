// Gets a reduce's partition of every map: from this agent's disk, or over the network, several at once.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "live/worker/line_merge.hpp"
#include "live/worker/worker_env.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {

struct Shuffled {
  std::vector<LineRun> runs;       ///< one a map; they lie in `files`
  std::deque<FileAppender> files;  ///< files without a name
  std::vector<TaskId> missing;     ///< maps whose output could not be had, in the order of the inputs
  std::string why_missing;         ///< the reason for the first of them
  std::uint64_t local_bytes = 0;
  std::uint64_t remote_bytes = 0;
};

/// An error is one of this task's own disk. What is fetched is compared with its checksum; each output is
/// asked for a few times, and nothing more is asked of an agent that does not answer at all.
Result<Shuffled> shuffle(const WorkerEnv& env, const ReduceWork& work, Context& context);

}  // namespace proffer::live
