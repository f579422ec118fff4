#include "study/readers/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "proffer/check.hpp"
#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/limits.hpp"
#include "study/generate/streams.hpp"

namespace proffer::study {

std::vector<std::uint64_t> parts_of(std::uint64_t total, std::size_t parts) {
  PROFFER_CHECK(parts > 0, "bytes for nobody");
  std::vector<std::uint64_t> all(parts, total / parts);
  std::for_each_n(all.begin(), total % parts, [](auto& part) { ++part; });
  return all;
}

void sort_jobs(std::vector<WorkloadJob>& jobs) {
  std::stable_sort(jobs.begin(), jobs.end(), [](const WorkloadJob& a, const WorkloadJob& b) {
    return std::tie(a.submit, a.name) < std::tie(b.submit, b.name);
  });
}

Random stream_of(const TraceSettings& settings, const std::string& job) {
  return stream(settings.seed, job, "trace");
}

Result<> Assembly::add_job(TracePlace place, WorkloadJob job) {
  const auto most_maps = job.file ? limits::kBlocksPerFile : kMostMaps;
  if (job.maps.size() > most_maps || job.reduces.size() > kMaxReduces) {
    return error_at(place,
                    fmt::format("job \"{}\" has {} maps and {} reduces; expected at most {} and {}", job.name,
                                job.maps.size(), job.reduces.size(), most_maps, kMaxReduces));
  }
  const auto [found, is_new] = lines_.try_emplace(job.name, place.line);
  if (!is_new) {
    return error_at(place,
                    fmt::format("job \"{}\" is there twice, first in line {}; expected a name of its own",
                                job.name, found->second));
  }
  if (job.bin.empty()) job.bin = bin_of(job.maps.size());
  workload_.jobs.push_back(std::move(job));
  return {};
}

std::uint32_t Assembly::add_file(std::string path, std::vector<WorkloadBlock> blocks) {
  workload_.files.push_back({std::move(path), std::move(blocks)});
  return static_cast<std::uint32_t>(workload_.files.size() - 1);
}

Result<> Assembly::add_node(TracePlace place, const std::string& name, const std::string& rack) {
  const auto [found, is_new] = racks_.try_emplace(name, rack);
  if (!is_new && found->second != rack) {
    return error_at(
        place, fmt::format("host \"{}\" stands in rack \"{}\" here and in \"{}\" before; expected one rack",
                           name, rack, found->second));
  }
  if (is_new) workload_.nodes.push_back({name, rack});
  return {};
}

Result<TraceRead> Assembly::finish(bool from_first) {
  if (workload_.jobs.empty()) {
    return Error{ErrorCode::invalid, fmt::format("{}: there is no job with a task in it", file_)};
  }
  if (workload_.files.size() > limits::kFiles) {
    return Error{ErrorCode::invalid, fmt::format("{}: its jobs read {} files; expected at most {}", file_,
                                                 workload_.files.size(), limits::kFiles)};
  }
  sort_jobs(workload_.jobs);
  const auto start = from_first ? workload_.jobs.front().submit : Duration::zero();
  for (auto& job : workload_.jobs) job.submit -= start;
  return TraceRead{std::move(workload_), std::move(notes_)};
}

}  // namespace proffer::study
