// The scenario of one cell: everything in its tree, with types. make_plan makes runs of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/allocator/allocator.hpp"
#include "proffer/study/generate.hpp"
#include "proffer/study/plan.hpp"
#include "proffer/study/trace_readers.hpp"
#include "study/experiment/tree.hpp"

namespace proffer::study {

struct ClusterSection {
  std::uint32_t racks = 1;
  std::optional<std::uint32_t> nodes_per_rack;
  std::optional<std::uint32_t> nodes;  ///< number of nodes in all racks together
  Resources slots;                     ///< slots of each node
  std::uint32_t max_computing = 0;     ///< limit for each node; see PlanNode
  std::vector<PlanNode> listed;        ///< the nodes of all [[cluster.node]]
  bool of_trace = false;               ///< topology = "trace": the nodes that a trace names
  std::vector<PlanFault> faults;
};

/// Faults of one kind that come again and again, at each that can have them by itself.
struct FaultSource {
  std::optional<Distribution> mtbf;  ///< times from the end of a fault to the next; none: there are none
  std::optional<Distribution> mttr;  ///< how long each lasts; there where mtbf is
  std::int64_t factor_milli = 2000;  ///< of slow ones: by how much longer tasks compute
};

/// [faults]
struct FaultsSection {
  FaultSource nodes, racks, partitions, slow, allocator, catalog;
  bool cuts_nodes = false;  ///< partitions cut off single nodes instead of racks
  bool any() const {
    return nodes.mtbf || racks.mtbf || partitions.mtbf || slow.mtbf || allocator.mtbf || catalog.mtbf;
  }
};

struct StoreSection {
  std::uint32_t replication = 3;
  std::uint64_t block_bytes = 128'000'000;
  Placement placement = Placement::hdfs;
};

/// The owners of the nodes: everybody; each framework of a part, side by side; or each framework of a part
/// while it has work (Hadoop On Demand).
enum class Partition : std::uint8_t { shared, fixed, hod };

struct AllocatorSection {
  Duration offer_timeout = std::chrono::seconds(30);
  Duration batch{};
  std::optional<Duration> heartbeat;  ///< none: off in a cluster without faults
  Duration latency{};
  Duration report_period{};
  std::uint32_t report_slots = 0;
  Partition partition = Partition::shared;
  std::optional<std::uint32_t> private_agents;  ///< only with hod; none: an equal part of the nodes
  std::optional<Duration> return_after;         ///< only with hod
  ShareBy share_by = ShareBy::kind;
  PreemptionConfig preemption;
};

struct FrameworkSection {
  PlanFramework each;  ///< a framework of the section, whose name it has
  std::optional<std::uint32_t> count;
  std::vector<std::string> names() const;  ///< NAME, or NAME-0 to NAME-(count - 1)
};

struct WorkloadSection {
  std::vector<std::string> frameworks;  ///< names of plan frameworks, in order; never empty
  std::vector<std::string> pools;       ///< pools for its jobs, dealt out in turn; empty: the spec's
  std::vector<std::string> users;       ///< likewise
  GenerateSpec spec;                    ///< the workload, named as the section
  std::optional<TraceSource> trace;     ///< instead of `spec`; its path is as the file has it
  Resources need = {};                  ///< bulk resources of each map; empty: a map slot
  TraceSettings trace_settings;
  std::optional<TraceSource> arrivals_of;  ///< a trace that says when the jobs of `spec` arrive
  formats::Position position;
};

struct Scenario {
  Duration horizon = std::chrono::hours(24 * 7);
  Duration warm_up{};
  Duration drain{};
  ClusterSection cluster;
  FaultsSection faults;
  CostModel cost;
  StoreSection store;
  ReplicationConfig replication;
  AllocatorSection allocator;
  std::vector<AllocatorPool> pools;
  std::vector<UserLimit> users;
  std::vector<FrameworkSection> frameworks;
  std::vector<WorkloadSection> workloads;
};

/// `invalid` with FILE:LINE:COL, what is wrong and what to write.
Result<Scenario> read_scenario(const TomlNode& tree, std::string_view file);

// Each reads one section, a member of the tree; null when it is not there.
Result<> read_cluster(const TomlNode* section, std::string_view file, ClusterSection& cluster);
Result<> read_faults(const TomlNode* section, std::string_view file, FaultsSection& faults);
Result<> read_cost(const TomlNode* section, std::string_view file, CostModel& cost);
Result<> read_store(const TomlNode* section, std::string_view file, StoreSection& store);
Result<> read_replication(const TomlNode* section, std::string_view file, ReplicationConfig& replication);
Result<> read_allocator(const TomlNode* section, std::string_view file, AllocatorSection& allocator);
Result<> read_pools(const TomlNode* list, std::string_view file, std::vector<AllocatorPool>& pools);
/// `what`: "[[user]]", or "users" of a framework.
Result<> read_users(const TomlNode* list, std::string_view what, std::string_view file,
                    std::vector<UserLimit>& users);
Result<> read_frameworks(const TomlNode* list, std::string_view file, Scenario& scenario);
/// After the frameworks and the store.
Result<> read_workloads(const TomlNode* list, std::string_view file, Scenario& scenario);

/// Returns NAME-0, NAME-1, … with numbers as wide as the last; NAME alone where there is no count.
std::vector<std::string> numbered(const std::string& name, std::optional<std::uint32_t> count);
/// The nodes of a cluster that the file describes.
std::vector<PlanNode> nodes_of(const ClusterSection& cluster);
/// `invalid` when it has no node of that name. Those of a trace are not known yet.
Result<> check_node(const ClusterSection& cluster, const std::string& node, std::string_view file,
                    formats::Position at);

/// Returns the faults of these nodes and their servers up to that time, and those that were listed. Each kind
/// draws for each of its subjects from a stream of its own. A node that is to die while it is dead stays so
/// for as long as the longer of the two says. `invalid` for more than can be simulated.
Result<std::vector<PlanFault>> draw_faults(const FaultsSection& section, const std::vector<PlanNode>& nodes,
                                           std::vector<PlanFault> listed, Duration until, std::uint64_t seed);

/// The tables of [[NAME]], or what is wrong. `what` for the sentence: "[[pool]]".
Result<std::vector<const TomlNode*>> tables_of(const TomlNode* list, std::string_view what,
                                               std::string_view file);

}  // namespace proffer::study
