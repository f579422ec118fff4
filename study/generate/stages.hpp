// The stages of a job graph as the jobs of a workload: how much each reads and writes, and which wait for
// which.
#pragma once

#include <cstdint>
#include <vector>

#include "proffer/study/generate.hpp"

namespace proffer::study {

/// The work of a stage. Each of its reduces writes a part, or each of its maps where it has no reduces; all
/// parts are alike.
struct StageSize {
  std::uint64_t maps = 0;
  std::uint64_t parts = 0;
  std::uint64_t part_bytes = 0;   ///< 0: no other stage reads it, and it writes nothing
  std::uint64_t part_blocks = 0;  ///< blocks of a part, each of which is the input of a map
  std::uint64_t block_bytes = 0;  ///< of these, the last of a part excepted; at most the workload's
};

/// Returns the sizes of a bin's stages, in their order.
std::vector<StageSize> sizes_of(const GenerateSpec& spec, const Bin& bin);

/// Makes a job the stage of that number: what it waits for, reads and writes. Its tasks are there already.
void make_stage(const GenerateSpec& spec, const Bin& bin, std::size_t number, const std::string& graph,
                WorkloadJob& job);

/// Returns the name of the job that a stage of a graph is.
std::string stage_name(const std::string& graph, const Stage& stage);

}  // namespace proffer::study
