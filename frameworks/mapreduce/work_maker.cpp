#include "frameworks/mapreduce/work_maker.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "frameworks/mapreduce/store_path.hpp"
#include "proffer/check.hpp"

namespace proffer::mapreduce {
namespace {

// The bytes on the wire of a structure's fields at most: an integer takes 9 bytes, a text or list 5 and its
// content, an id 18, and a structure has fewer than ten such fields.
constexpr std::size_t kFields = 128;

OutputPath output_path(const Job& job, const TaskId& attempt, std::uint32_t index,
                       const std::string& catalog_endpoint) {
  return {attempt_path(job.spec.output, attempt, index), catalog_endpoint, job.spec.replication,
          job.spec.block_bytes};
}

std::size_t common_bytes(const JobSpec& spec) {
  std::size_t bytes =
      2 * kFields + spec.token.size() + spec.output.size() + limits::kNameBytes + limits::kEndpointBytes;
  for (const auto& [name, value] : spec.env) bytes += name.size() + value.size() + 16;
  for (const auto& file : spec.files) bytes += file.name.size() + file.bytes.size() + 16;
  return bytes;
}

std::size_t blocks_bytes(const std::vector<BlockRead>& blocks) {
  std::size_t bytes = 0;
  for (const auto& block : blocks) {
    bytes += kFields + block.token.size();
    for (const auto& replica : block.replicas) bytes += 48 + replica.endpoint.size() + replica.rack.size();
  }
  return bytes;
}

std::size_t cached_bytes(const Job& job) {
  std::size_t bytes = 0;
  for (const auto& file : job.input.cached) bytes += 16 + file.name.size() + blocks_bytes(file.blocks);
  return bytes;
}

/// The cached files as the task should read them: the nearest replicas first.
std::vector<CachedFile> cached_for(const Job& job, std::uint32_t index, const AgentInfo& agent) {
  auto cached = job.input.cached;
  for (auto& file : cached) {
    for (auto& block : file.blocks) block.replicas = nearest_first(std::move(block.replicas), agent, index);
  }
  return cached;
}

/// The address at which the outputs on that agent can be fetched.
const std::string& endpoint_of(const Agents& agents, AgentId agent) {
  static const std::string none;
  const auto at = agents.find(agent);
  return at == agents.end() ? none : at->second.data_endpoint;
}

WorkPtr synthetic_map(const Job& job, std::uint32_t index, const AgentInfo& agent, OutputPath output) {
  const auto& task = job.spec.synthetic->maps.at(index);
  SyntheticWork work{
      job.id,           index, true, job.spec.token, job.input.maps.at(index).blocks, {}, task.compute,
      task.output_bytes};
  for (auto& block : work.blocks) {
    block.replicas = nearest_first(std::move(block.replicas), agent, index);
    if (task.input_bytes > 0) block.length = std::min(block.length, task.input_bytes);
  }
  work.cached = cached_for(job, index, agent);
  if (job.spec.writes() && job.map_only()) work.output = std::move(output);
  return std::make_shared<const Work>(std::move(work));
}

WorkPtr synthetic_reduce(const Job& job, std::uint32_t index, const AgentInfo& agent, bool complete,
                         OutputPath output) {
  const auto& task = job.spec.synthetic->reduces.at(index);
  SyntheticWork work;
  work.job = job.id;
  work.index = index;
  work.map = false;
  work.job_token = job.spec.token;
  if (complete) work.inputs = job.tasks.shuffle;
  work.compute = task.compute;
  work.output_bytes = task.output_bytes;
  work.complete = complete;
  work.cached = cached_for(job, index, agent);
  if (job.spec.writes()) work.output = std::move(output);
  return std::make_shared<const Work>(std::move(work));
}

}  // namespace

std::vector<std::uint32_t> all_maps(const Job& job) {
  std::vector<std::uint32_t> maps(job.tasks.maps.size());
  std::iota(maps.begin(), maps.end(), 0);
  return maps;
}

std::vector<SyntheticInput> synthetic_inputs(const Job& job, std::span<const std::uint32_t> maps,
                                             const Agents& agents) {
  std::map<AgentId, SyntheticInput> by_agent;
  for (const auto map : maps) {
    const auto bytes = job.spec.synthetic->maps.at(map).output_bytes;
    if (bytes == 0) continue;
    const auto agent = job.tasks.outputs.at(map).agent;
    auto& input = by_agent[agent];
    if (input.bytes == 0) input = {job.tasks.maps.current(map), agent, endpoint_of(agents, agent), bytes, 0};
    input.bytes += std::max<std::uint64_t>(bytes / job.spec.reduce_count(), 1);
  }
  std::vector<SyntheticInput> inputs;
  for (auto& [agent, input] : by_agent) inputs.push_back(std::move(input));
  return inputs;
}

std::vector<MapOutput> reduce_inputs(const Job& job, std::uint32_t index, std::span<const std::uint32_t> maps,
                                     const Agents& agents) {
  std::vector<MapOutput> inputs;
  for (const auto map : maps) {
    const auto& outcome = job.tasks.outputs.at(map);
    const auto& span = outcome.result.partitions.at(index);
    if (span.length == 0) continue;
    inputs.push_back({job.tasks.maps.current(map), outcome.agent, endpoint_of(agents, outcome.agent),
                      span.offset, span.length, span.crc32});
  }
  return inputs;
}

WorkPtr map_work(const Job& job, std::uint32_t index, const TaskId& attempt, const AgentInfo& agent,
                 const std::string& catalog_endpoint) {
  auto output = output_path(job, attempt, index, catalog_endpoint);
  if (job.spec.synthetic) return synthetic_map(job, index, agent, std::move(output));
  const auto& input = job.input.maps.at(index);
  MapWork work;
  work.job = job.id;
  work.index = index;
  work.job_token = job.spec.token;
  work.mapper = job.spec.mapper;
  work.combiner = job.map_only() ? "" : job.spec.combiner;
  work.blocks = input.blocks;
  for (auto& block : work.blocks) block.replicas = nearest_first(std::move(block.replicas), agent, index);
  work.input_path = input.path;
  work.partitions = job.spec.reduce_count();
  work.output = std::move(output);
  work.env = job.spec.env;
  work.files = job.spec.files;
  work.cached = cached_for(job, index, agent);
  return std::make_shared<const Work>(std::move(work));
}

WorkPtr reduce_work(const Job& job, std::uint32_t index, const TaskId& attempt, const AgentInfo& agent,
                    const Agents& agents, const std::string& catalog_endpoint) {
  const bool complete = job.tasks.maps.all_done();
  auto output = output_path(job, attempt, index, catalog_endpoint);
  if (job.spec.synthetic) return synthetic_reduce(job, index, agent, complete, std::move(output));
  ReduceWork work;
  work.job = job.id;
  work.index = index;
  work.job_token = job.spec.token;
  work.reducer = job.spec.reducer;
  if (complete) work.inputs = reduce_inputs(job, index, all_maps(job), agents);
  work.output = std::move(output);
  work.env = job.spec.env;
  work.files = job.spec.files;
  work.complete = complete;
  work.cached = cached_for(job, index, agent);
  return std::make_shared<const Work>(std::move(work));
}

std::size_t map_bytes(const Job& job, std::uint32_t index) {
  const auto& input = job.input.maps.at(index);
  return common_bytes(job.spec) + cached_bytes(job) + job.spec.mapper.size() + job.spec.combiner.size() +
         input.path.size() + blocks_bytes(input.blocks);
}

std::size_t largest_map_bytes(const Job& job) {
  std::size_t largest = 0;
  for (std::uint32_t index = 0; index < job.input.maps.size(); ++index) {
    largest = std::max(largest, map_bytes(job, index));
  }
  return largest;
}

std::size_t largest_reduce_bytes(const Job& job, const Agents& agents) {
  std::size_t inputs = cached_bytes(job);
  if (job.spec.synthetic) {
    for (const auto& input : job.tasks.shuffle) inputs += kFields + input.endpoint.size();
    return common_bytes(job.spec) + inputs;
  }
  for (const auto& [map, outcome] : job.tasks.outputs.by_map()) {
    inputs += kFields + endpoint_of(agents, outcome.agent).size();
  }
  return common_bytes(job.spec) + job.spec.reducer.size() + inputs;
}

std::size_t rename_bytes(const Job& job, std::size_t parts) {
  return (parts + 1) * (2 * job.spec.output.size() + 128);
}

}  // namespace proffer::mapreduce
