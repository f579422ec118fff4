// The descriptions of what maps and reduces of a job are to do, and how large these can get on the wire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frameworks/mapreduce/job.hpp"
#include "frameworks/mapreduce/known_agents.hpp"
#include "frameworks/mapreduce/task_sizes.hpp"
#include "proffer/limits.hpp"
#include "proffer/topology.hpp"

namespace proffer::mapreduce {

/// The description of a map.
WorkPtr map_work(const Job& job, std::uint32_t index, const TaskId& attempt, const AgentInfo& agent,
                 const std::string& catalog_endpoint);
/// The inputs of each reduce of a synthetic job from those maps, which are done: one input an agent, which
/// stands for all outputs there, since of maps there may be thousands.
std::vector<SyntheticInput> synthetic_inputs(const Job& job, std::span<const std::uint32_t> maps,
                                             const Agents& agents);
/// The inputs of that reduce from those maps, which are done. Outputs of agents that were never offered have
/// no address and are reported missing.
std::vector<MapOutput> reduce_inputs(const Job& job, std::uint32_t index, std::span<const std::uint32_t> maps,
                                     const Agents& agents);
/// The maps of a job by index: once all are done, reduces are described with their outputs in this order.
std::vector<std::uint32_t> all_maps(const Job& job);
/// The description of a reduce, without inputs while maps are not done: then it is fed.
WorkPtr reduce_work(const Job& job, std::uint32_t index, const TaskId& attempt, const AgentInfo& agent,
                    const Agents& agents, const std::string& catalog_endpoint);

/// An upper bound on the bytes of a message that describes one such task. All tasks of one offer travel in
/// one message, which has its limit.
std::size_t map_bytes(const Job& job, std::uint32_t index);
std::size_t largest_map_bytes(const Job& job);
/// The same for a reduce, as far as the job's maps are done.
std::size_t largest_reduce_bytes(const Job& job, const Agents& agents);
/// The same for the RENAME that publishes this many parts.
std::size_t rename_bytes(const Job& job, std::size_t parts);

}  // namespace proffer::mapreduce
