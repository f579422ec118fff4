#include "study/measures/byte_counts.hpp"

#include <algorithm>

namespace proffer::study {

double map_bytes_of(const Plan& plan, const WorkloadJob& job) {
  if (job.stage && !job.stage->after.empty()) {
    double read = 0;
    for (const auto& map : job.maps) read += static_cast<double>(map.input_bytes);
    return read / static_cast<double>(job.maps.size());
  }
  if (!job.file || plan.workload.files[*job.file].blocks.empty()) return 0;
  const auto& blocks = plan.workload.files[*job.file].blocks;
  double sum = 0;
  for (const auto& block : blocks) sum += static_cast<double>(block.bytes);
  return sum / static_cast<double>(blocks.size());
}

double map_output_of(const WorkloadJob& job) {
  double sum = 0;
  if (job.reduces.empty()) return sum;
  for (const auto& map : job.maps) sum += static_cast<double>(map.output_bytes);
  return sum;
}

ByteCounts::ByteCounts(const Plan& plan) {
  for (const auto& job : plan.workload.jobs) {
    map_bytes_.push_back(map_bytes_of(plan, job));
    const auto output = map_output_of(job);
    kept_.push_back({output > 0 ? output / static_cast<double>(job.maps.size()) : 0, output});
  }
}

void ByteCounts::map_finished(std::size_t job) {
  read_ += map_bytes_[job];
  auto& kept = kept_[job];
  if (kept.over) return;
  const auto more = std::min(kept.of_map, kept.most - kept.now);
  kept.now += more;
  all_kept_ += more;
  most_kept_ = std::max(most_kept_, all_kept_);
}

void ByteCounts::over(std::size_t job) {
  auto& kept = kept_[job];
  all_kept_ -= kept.now;
  kept.now = 0;
  kept.over = true;
}

void ByteCounts::begin() {
  read_ = 0;
  most_kept_ = all_kept_;
}

void ByteCounts::measure(double seconds, std::map<std::string, double>& measures) const {
  if (most_kept_ > 0) measures["intermediate_bytes_max"] = most_kept_;
  if (read_ == 0 || seconds <= 0) return;
  measures["input_bytes"] = read_;
  measures["bytes_per_second"] = read_ / seconds;
}

}  // namespace proffer::study
