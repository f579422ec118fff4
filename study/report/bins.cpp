#include "study/report/bins.hpp"

#include <algorithm>
#include <cmath>

#include "proffer/study/trace_readers.hpp"

namespace proffer::study::reporting {
namespace {

constexpr std::size_t kMostBins = 12;
constexpr std::size_t kMostSizes = 14;

std::string class_of(const JobRow& job) { return bin_of(job.maps) + (job.maps == 1 ? " map" : " maps"); }

struct Size {
  double maps = 0;
  double jobs = 0;
};

template <class Key>
std::map<std::string, Size> sizes_by(const ReportInput& input, Key key) {
  std::map<std::string, Size> bins;
  for (const auto& cell : input.cells) {
    for (const auto& run : cell.runs) {
      for (const auto& job : run.jobs) {
        auto& bin = bins[key(job)];
        bin.maps += job.maps;
        bin.jobs += 1;
      }
    }
  }
  return bins;
}

/// Three classes a decade.
int third_of_decade(std::uint32_t maps) {
  return maps == 0 ? -1 : static_cast<int>(std::floor(3 * std::log10(static_cast<double>(maps)) + 1e-9));
}

}  // namespace

JobBins::JobBins(const ReportInput& input) {
  auto bins = sizes_by(input, [](const JobRow& job) { return job.bin; });
  if (bins.size() > kMostBins || bins.contains("")) {
    named_ = false;
    bins = sizes_by(input, class_of);
  }
  for (const auto& [name, size] : bins) names_.push_back(name);
  const auto mean = [&](const std::string& name) { return bins[name].maps / bins[name].jobs; };
  std::stable_sort(names_.begin(), names_.end(),
                   [&](const auto& a, const auto& b) { return mean(a) < mean(b); });
}

std::string JobBins::name_of(const JobRow& job) const { return named_ ? job.bin : class_of(job); }

SizeClasses::SizeClasses(const ReportInput& input) {
  for (const auto& cell : input.cells) {
    for (const auto& run : cell.runs) {
      for (const auto& job : run.jobs) sizes_[job.maps] += 1;
    }
  }
  std::map<int, Size> classes;
  for (const auto& [maps, jobs] : sizes_) {
    auto& each = classes[third_of_decade(maps)];
    each.maps += maps * jobs;
    each.jobs += jobs;
  }
  const bool exact = sizes_.size() <= kMostSizes;
  for (auto& [maps, size] : sizes_) {
    const auto& each = classes[third_of_decade(maps)];
    size = exact ? maps : each.maps / each.jobs;
  }
}

double SizeClasses::size_of(const JobRow& job) const { return sizes_.at(job.maps); }

}  // namespace proffer::study::reporting
