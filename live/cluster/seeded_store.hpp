// The files that a cluster's store holds from the start.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/live/local_cluster.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

struct SeededBlock {
  BlockId id;
  std::uint64_t bytes = 0;
};

/// Returns the blocks that each agent holds a replica of, by the agent's index. They are numbered from 1,
/// file by file, as in the catalog's names.
std::map<std::uint32_t, std::vector<SeededBlock>> blocks_by_agent(const std::vector<StoredFile>& files);

/// Puts blocks into the folder of an agent, which has not been started yet, as holes of the disk. `io`.
Result<> write_blocks(const std::string& agent_dir, const std::vector<SeededBlock>& blocks);

/// Puts config.files into the folders of the catalog and of config.agents, which have not been started yet.
/// `exists` when there are files already, `io`.
Result<> seed_store(const LocalClusterConfig& config);

}  // namespace proffer::live
