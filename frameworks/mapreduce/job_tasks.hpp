// The tasks of one job and what they have made.
//
// Invariant: the maps with an output are those that are done, and only reduces that run were started early.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frameworks/mapreduce/early_reduces.hpp"
#include "frameworks/mapreduce/fetch_blame.hpp"
#include "frameworks/mapreduce/map_outputs.hpp"
#include "frameworks/mapreduce/map_times.hpp"
#include "frameworks/mapreduce/task_table.hpp"
#include "proffer/messages/work.hpp"

namespace proffer::mapreduce {

struct JobTasks {
  explicit JobTasks(JobId job, std::uint32_t map_count = 0, std::uint32_t reduce_count = 0,
                    std::uint32_t first_attempt = 0)
      : maps(job, 'm', map_count, first_attempt), reduces(job, 'r', reduce_count, first_attempt) {}

  TaskTable maps;
  TaskTable reduces;
  MapOutputs outputs;
  std::map<std::uint32_t, ReduceResult> reduce_results;  ///< the results of reduces that are done
  EarlyReduces early;
  MapTimes map_times;  ///< known of maps that have ended under this process, where backups may be made
  std::vector<SyntheticInput> shuffle;  ///< inputs of each reduce of a synthetic job whose maps are done
  std::size_t map_bytes = 0;            ///< the largest description of a map
  std::size_t reduce_bytes = 0;         ///< the largest description of a reduce

  TaskTable& table(bool map) { return map ? maps : reduces; }
  const TaskTable& table(bool map) const { return map ? maps : reduces; }
  bool all_done() const { return maps.all_done() && reduces.all_done(); }
  bool none_runs() const { return maps.attempts().empty() && reduces.attempts().empty(); }
  /// True when enough maps are done for reduces to be launched: `slow_start_milli` thousandths of them.
  bool may_reduce(std::uint32_t slow_start_milli) const;
  /// True when no further reduce may copy on that agent, where `placed` are about to: at most `most` do,
  /// while maps are not done.
  bool copies_enough(std::uint32_t most, AgentId agent, std::size_t placed) const {
    return !maps.all_done() && early.copying_on(agent) + placed >= most;
  }
  /// The complaint of a reduce's attempt that ended for want of these outputs, as far as they are still
  /// believed to be there.
  Complaint complaint_of(const Attempt& attempt, const std::vector<TaskId>& missing) const;
  /// Notes that a map is not done after all: its output is gone. Returns the running reduces that were to
  /// copy it, in order of their ids; they are of no use.
  std::vector<TaskId> lose_map(std::uint32_t index);

  /// Aborts unless the invariant holds.
  void check_invariants() const;
};

}  // namespace proffer::mapreduce
