// Starts proffer-worker as an agent's launcher would, and hears what it says.
#pragma once

#include <string>
#include <vector>

#include "proffer/frameworks/task_said.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/messages/work.hpp"
#include "tests/live_store/temp_dir.hpp"

namespace proffer::live {

inline constexpr FrameworkId kTestFramework{Bits128{0xF, 0xF}};

/// The agent on which a worker runs.
struct Place {
  AgentId agent{Bits128{1, 1}};
  std::string blocks_dir;
  std::string outputs_dir;
};

struct WorkerEnd {
  int code = -1;  ///< of its exit; -1: a signal
  TaskResult result;
  std::vector<TaskSaid> said;
  int asked = 0;     ///< for permission to compute
  std::string lost;  ///< what its agent's disk did not keep
  std::string err;
  std::vector<std::string> left;  ///< in its sandbox

  const MapResult& map() const { return std::get<MapResult>(result); }
  const ReduceResult& reduce() const { return std::get<ReduceResult>(result); }
};

/// Runs it to its end. `env`: added to its environment. `fed`: what it is told while it runs, before it gets
/// leave to compute.
WorkerEnd run_worker_program(const TempDir& dir, const Place& place, const std::string& task,
                             const Work& work, const Environment& env = {},
                             const std::vector<MoreInputs>& fed = {});

/// A block that lies at the place, as a map would be told of it.
BlockRead put_block(const Place& place, std::uint64_t id, const std::string& bytes,
                    std::uint64_t first_record = 0);

/// One partition of a map's output, as text.
std::string read_partition(const Place& place, const std::string& task, const PartitionSpan& span);

/// A map of job 1 of these blocks.
MapWork map_of(std::vector<BlockRead> blocks, const std::string& mapper, std::uint32_t partitions = 1);

}  // namespace proffer::live
