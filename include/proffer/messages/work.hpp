// The work of a task: opaque to allocator and agent, run by a worker (live) or by the cost model (simulated).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer {

using Environment = std::vector<std::pair<std::string, std::string>>;

/// A small file put into the sandbox before the task starts.
struct ShippedFile {
  std::string name;  ///< a plain name, no slash
  std::string bytes;
  bool executable = false;
  bool operator==(const ShippedFile&) const = default;
};

/// Runs a command in the sandbox. argv[0] is looked up on PATH.
struct CommandWork {
  std::vector<std::string> argv;
  Environment env;
  /// The token with which one may fetch the command's output; empty: nobody will fetch it.
  std::string output_token = {};
  std::vector<ShippedFile> files = {};
  bool operator==(const CommandWork&) const = default;
};

/// A replica of a block: the node that holds it, the endpoint where the node serves it, and the node's rack.
/// On the wire: [agent, endpoint, rack].
struct Replica {
  AgentId agent;
  std::string endpoint;
  std::string rack = {};  ///< the rack that the holder told the catalog; empty: unknown
  bool operator==(const Replica&) const = default;
};

/// A block to read. `first_record` is the offset at which the first record that starts in the block begins;
/// equal to `length` when none does.
struct BlockRead {
  BlockId block;
  std::uint64_t length = 0;        ///< bytes
  std::uint64_t first_record = 0;  ///< bytes
  std::string token;               ///< the store's read token
  std::vector<Replica> replicas;   ///< nearest first, as far as the sender can tell
  bool operator==(const BlockRead&) const = default;
};

/// A file of the store that a task finds in its sandbox, and that the agent keeps for later tasks. Ids of
/// blocks are never used again, so the id of the first block names this version of the file.
struct CachedFile {
  std::string name;               ///< name in the sandbox; a plain name, no slash
  std::vector<BlockRead> blocks;  ///< all blocks of the file, in order
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& block : blocks) sum += block.length;
    return sum;
  }
  bool operator==(const CachedFile&) const = default;
};

/// The place to which a task of a job writes its part of the output.
struct OutputPath {
  std::string path;              ///< a path in the store, under _temporary
  std::string catalog_endpoint;  ///< the catalog to ask for blocks
  std::uint32_t replication = 1;
  std::uint64_t block_bytes = 0;
  bool operator==(const OutputPath&) const = default;
};

/// Passes the records that start in blocks[0] through `mapper`. The blocks after it are read only as far as
/// the last record needs. With `partitions` = 0 the mapper's output is the job's output (written to
/// `output`); else it is partitioned by key (up to the first tab), sorted by (partition, key) and kept at the
/// agent.
struct MapWork {
  JobId job;
  std::uint32_t index = 0;  ///< number of the map in the job, from 0
  std::string job_token;    ///< the token with which one may fetch the output
  std::string mapper;       ///< a shell command
  std::string combiner;     ///< a shell command, or empty; used only with partitions > 0
  std::vector<BlockRead> blocks;
  std::string input_path;  ///< path of the input, for the mapper's environment
  std::uint32_t partitions = 0;
  OutputPath output;
  Environment env;
  std::vector<ShippedFile> files;
  std::vector<CachedFile> cached;
  bool operator==(const MapWork&) const = default;
};

/// One partition of one map's output: bytes [offset, offset + length) of that map's output file at
/// `endpoint`.
struct MapOutput {
  TaskId map;
  AgentId agent;
  std::string endpoint;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint32_t crc32 = 0;
  bool operator==(const MapOutput&) const = default;
};

/// Fetches its partition of every map, merges by key, runs `reducer`, writes `output`.
struct ReduceWork {
  JobId job;
  std::uint32_t index = 0;  ///< number of the partition, from 0
  std::string job_token;
  std::string reducer;  ///< a shell command
  std::vector<MapOutput> inputs;
  OutputPath output;
  Environment env;
  std::vector<ShippedFile> files;
  bool complete = true;  ///< false: further inputs follow as MORE_INPUTS
  std::vector<CachedFile> cached;
  bool operator==(const ReduceWork&) const = default;
};

/// The input that a synthetic reduce reads at one agent: as many bytes as its parts of all outputs there sum
/// to. The output of one map stands for them all; where it is shorter, it is read from its begin again.
struct SyntheticInput {
  TaskId map;
  AgentId agent;
  std::string endpoint;
  std::uint64_t output_bytes = 0;  ///< size of that map's output; above 0
  std::uint64_t bytes = 0;         ///< number of bytes to read
  bool operator==(const SyntheticInput&) const = default;
};

/// Work of a known size, for experiments. The task reads its blocks (a map) or map outputs (a reduce) whole,
/// computes, and leaves output of that size for the reduces of its job. Live it moves those bytes and burns
/// that much processor time; simulated, a cost model says how long that takes.
struct SyntheticWork {
  JobId job;
  std::uint32_t index = 0;
  bool map = true;
  std::string job_token;               ///< the token with which one may fetch the output
  std::vector<BlockRead> blocks;       ///< input of a map
  std::vector<SyntheticInput> inputs;  ///< input of a reduce
  Duration compute{};
  std::uint64_t output_bytes = 0;
  bool complete = true;  ///< false: further inputs follow as MORE_INPUTS
  std::vector<CachedFile> cached = {};
  OutputPath output = {};  ///< the file that the output is written to; without a path it stays at the agent
  bool operator==(const SyntheticWork&) const = default;
};

using Work = std::variant<CommandWork, MapWork, ReduceWork, SyntheticWork>;
/// A pointer to work, shared and immutable: work travels through allocator and agent without a copy.
using WorkPtr = std::shared_ptr<const Work>;

/// A counter of a job, as Hadoop Streaming's `reporter:counter:group,name,n`.
struct Counter {
  std::string group;
  std::string name;
  std::int64_t value = 0;
  bool operator==(const Counter&) const = default;
};

/// A partition's place in a map's output file.
struct PartitionSpan {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint32_t crc32 = 0;
  bool operator==(const PartitionSpan&) const = default;
};

/// The result of a finished map for its framework.
struct MapResult {
  std::vector<PartitionSpan> partitions;
  std::uint64_t local_bytes = 0;   ///< input read from this agent's own replicas
  std::uint64_t remote_bytes = 0;  ///< input fetched from others
  std::uint64_t input_records = 0;
  std::uint64_t output_records = 0;
  std::uint64_t output_bytes = 0;
  std::vector<Counter> counters;
  bool operator==(const MapResult&) const = default;
};

/// The result of a reduce for its framework. `missing` is not empty when the reduce failed because the
/// outputs of those maps could not be fetched.
struct ReduceResult {
  std::vector<TaskId> missing;
  std::uint64_t local_bytes = 0;   ///< shuffled from this agent
  std::uint64_t remote_bytes = 0;  ///< shuffled from others
  std::uint64_t input_records = 0;
  std::uint64_t output_records = 0;
  std::uint64_t output_bytes = 0;
  std::vector<Counter> counters;
  bool operator==(const ReduceResult&) const = default;
};

using TaskResult = std::variant<std::monostate, MapResult, ReduceResult>;
using ResultPtr = std::shared_ptr<const TaskResult>;  ///< null: the task said nothing

}  // namespace proffer
