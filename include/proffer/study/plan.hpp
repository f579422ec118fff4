// One run of an experiment, with nothing left open: a cell of its sweep with one seed. Both worlds take it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proffer/allocator/allocator.hpp"
#include "proffer/catalog/replication.hpp"
#include "proffer/frameworks/job_sharing.hpp"
#include "proffer/frameworks/policy_spec.hpp"
#include "proffer/frameworks/speculation.hpp"
#include "proffer/preemption.hpp"
#include "proffer/resources.hpp"
#include "proffer/sharing/pool.hpp"
#include "proffer/study/workload.hpp"
#include "proffer/time.hpp"

namespace proffer::study {

struct PlanNode {
  std::string name;
  std::string rack;
  Resources slots;
  std::uint32_t max_computing = 0;  ///< the number of reduces that compute at a time; 0: all
  std::int64_t speed_milli = 1000;  ///< computing takes 1000 / speed_milli times as long as the workload says
  std::optional<std::uint64_t> disk_rate = {};  ///< bytes per second, 0: unlimited; none: the cost model's
  std::optional<std::uint64_t> nic_rate = {};   ///< likewise, each way
};

/// The duration of tasks (SEMANTICS §13). A map lasts start_up + max(read, compute) +
/// write, a reduce start_up + read + compute + write. Rates are bytes per second; 0 means unlimited.
struct CostModel {
  enum class Reading : std::uint8_t {
    fluid,    ///< local reads share the node's disk; remote ones are max-min fair flows
    penalty,  ///< compute time is multiplied by a factor for each level
  };
  Reading reading = Reading::fluid;
  Duration start_up = std::chrono::seconds(3);
  // fluid
  /// Rate of a node, shared by its local readers and by those it serves.
  std::uint64_t disk_rate = 400'000'000;
  std::uint64_t nic_rate = 125'000'000;    ///< rate of a node, each way
  std::uint64_t remote_rate = 30'000'000;  ///< limit for all remote reads of a node together
  std::uint64_t rack_uplink_rate = 0;      ///< rate of a rack, each way, for traffic that leaves it
  std::uint64_t write_rate = 0;            ///< rate at which a task writes its output to its own disk
  // penalty: read time = compute * (factor - 1), in thousandths
  std::int64_t rack_factor_milli = 1000;
  std::int64_t any_factor_milli = 1000;
};

/// The places of replicas of blocks for which the workload does not name them.
enum class Placement : std::uint8_t {
  hdfs,    ///< one anywhere, the second in another rack, the third beside the second
  random,  ///< different nodes, uniformly
};

struct PlanFault {
  enum class What : std::uint8_t {
    kill_node,       ///< the node's tasks and replicas are gone for `lasting`
    slow_node,       ///< the node's tasks compute `factor_milli` / 1000 times as long
    cut_node,        ///< nothing gets from the node to anybody, or back; it goes on with what it has
    cut_rack,        ///< the same of a rack, within which its nodes reach each other
    stop_allocator,  ///< the allocator is killed, and started again after `lasting`
    stop_catalog,
  };
  Duration at{};
  What what = What::kill_node;
  std::string target;  ///< the name of the node or rack; of a server it does not matter
  Duration lasting{};
  std::int64_t factor_milli = 1000;
};

/// A tenant: one framework, with its own policy over its own jobs.
struct PlanFramework {
  std::string name;
  std::string pool;
  std::string user;
  PolicySpec policy;
  std::uint32_t max_running_jobs = 0;     ///< 0: no limit
  std::uint32_t slow_start_milli = 1000;  ///< part of a job's maps before its reduces are launched
  std::uint32_t max_copying = 0;          ///< reduces of a job on an agent while its maps run; 0: no limit
  bool balance_long_tasks = false;        ///< see MapReduceConfig
  Duration gather_for = kGatherFor;       ///< see MapReduceConfig
  Kind map_kind{"map"};                   ///< `cpus` where its jobs take bulk resources
  Speculation speculation = {};           ///< second attempts at maps that run for long
  Priority priority = Priority::normal;   ///< priority among frameworks
  JobSharing sharing = {};                ///< sharing among its jobs
};

struct Plan {
  std::string experiment;
  std::string cell;  ///< "node_wait=5s policy=wait", or "" without a sweep
  std::uint64_t seed = 1;
  std::vector<PlanNode> nodes;
  std::uint32_t replication = 3;
  Placement placement = Placement::hdfs;
  ReplicationConfig hot_blocks;  ///< further replicas of blocks in demand
  CostModel cost;
  AllocatorConfig allocator;
  std::vector<PlanFramework> frameworks;
  Workload workload;
  std::vector<PlanFault> faults;
  Duration heartbeat{};  ///< heartbeat of every session; 0: none (a lossless simulation needs none)
  Duration latency{};    ///< latency of every message, one way
  Duration horizon = std::chrono::hours(24 * 7);  ///< the run ends then, whatever still runs
  // Jobs that count are those submitted in [warm_up, end - drain).
  Duration warm_up{};
  Duration drain{};
};

}  // namespace proffer::study
