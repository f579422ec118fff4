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
  if (job.file) {
    const auto& blocks = workload.files[*job.file].blocks;
    for (const auto read : job.reads) volumes.input += blocks[read].bytes;
    for (const auto& block : job.reads.empty() ? blocks : std::vector<WorkloadBlock>()) {
      volumes.input += block.bytes;
    }
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
