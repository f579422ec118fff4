// A job as a former process of the framework left it, until its tasks are made again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frameworks/mapreduce/map_outputs.hpp"
#include "frameworks/mapreduce/task_table.hpp"
#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/frameworks/scheduler_abilities.hpp"

namespace proffer::mapreduce {

/// The tasks that a job has, and a hash of what its maps read. With a plan, the job's output is claimed.
struct JobPlan {
  std::uint32_t maps = 0;
  std::uint32_t reduces = 0;
  std::uint64_t input = 0;
  bool operator==(const JobPlan&) const = default;
};

/// A map that is done.
struct MadeMap {
  TaskId task;
  std::uint64_t order = 0;  ///< its place among the job's maps, in the order in which they ended
  MapOutcome outcome;
};

/// A reduce that is done.
struct MadeReduce {
  TaskId task;
  ReduceResult result;
};

/// A job that has ended.
struct EndedJob {
  std::string name;
  std::string output;
  bool ok = false;
  std::string why;
  JobCounters counters;
};

struct FormerJob {
  std::optional<JobPlan> plan;
  std::string failing;  ///< the reason for which it was failing already; empty: it was not
  std::map<std::uint32_t, MadeMap> maps;
  std::map<std::uint32_t, MadeReduce> reduces;
  std::map<std::pair<bool, std::uint32_t>, Tries> tries;  ///< of tasks, by (is a map, index)
  /// Reduces that were launched before all maps were done; true: an output that they know of is gone.
  std::map<TaskId, bool> early;
  JobCounters counters;
  std::vector<ResumedTask> attempts;  ///< those that had not ended
  std::vector<TaskId> used;           ///< ids of others
  std::vector<TaskStatus> held;       ///< what was told of them meanwhile
};

}  // namespace proffer::mapreduce
