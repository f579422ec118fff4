#include "study/readers/volumes.hpp"

#include <numeric>
#include <vector>

namespace proffer::study {
namespace {

std::uint64_t output_of(const std::vector<WorkloadTask>& tasks) {
  return std::accumulate(tasks.begin(), tasks.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const WorkloadTask& task) { return sum + task.output_bytes; });
}

}  // namespace

Volumes volumes_of(const Workload& workload, const WorkloadJob& job) {
  Volumes volumes;
  for (const auto& map : job.maps) volumes.input += job.file ? 0 : map.input_bytes;
  for (std::size_t map = 0; map < job.maps.size() && job.file; ++map) {
    const auto& blocks = workload.files[*job.file].blocks;
    const auto& block = blocks[job.reads.empty() ? map : job.reads[map]];
    const auto part = job.maps[map].input_bytes;
    volumes.input += part > 0 ? part : block.bytes;
  }
  if (job.reduces.empty()) {
    volumes.output = output_of(job.maps);
  } else {
    volumes.shuffle = output_of(job.maps);
    volumes.output = output_of(job.reduces);
  }
  return volumes;
}

}  // namespace proffer::study
