// The environment of a worker, and those that it makes for its commands.
#pragma once

#include <cstdint>
#include <string>

#include "proffer/ids.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

struct WorkerEnv {
  FrameworkId framework;
  TaskId task;
  AgentId agent;
  std::string blocks_dir;
  std::string outputs_dir;
  std::string cache_dir;          ///< the folder of cached files; empty: none
  std::uint64_t cache_bytes = 0;  ///< the most bytes of cached files
  std::string sandbox;            ///< the current folder
  int result_fd = -1;
  int deliver_fd = -1;
  std::size_t sort_bytes = 64 << 20;                  ///< memory for sorting a map's output
  Duration fetch_timeout = std::chrono::seconds(30);  ///< the longest time without any progress
  bool synthetic_waits = false;                       ///< see AgentSettings
  Environment variables;                              ///< all of them
};

/// Reads this process's environment: PROFFER_FRAMEWORK_ID, PROFFER_TASK_ID, PROFFER_AGENT_ID,
/// PROFFER_BLOCKS_DIR, PROFFER_OUTPUTS_DIR, PROFFER_RESULT_FD, PROFFER_DELIVER_FD, and PROFFER_CACHE_DIR,
/// PROFFER_CACHE_BYTES, PROFFER_SORT_BYTES and PROFFER_SYNTHETIC if they are there. `invalid` names what is
/// missing or wrong.
Result<WorkerEnv> worker_env();

/// The variables of a mapper, combiner or reducer: those of this process, then Hadoop Streaming's (the
/// settings of a job with dots as underscores), then the job's own. Shipped files are on its PATH.
Environment command_env(const WorkerEnv& env, const MapWork& work);
Environment command_env(const WorkerEnv& env, const ReduceWork& work);

}  // namespace proffer::live
