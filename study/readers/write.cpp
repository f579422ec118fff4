// Workloads as text that readers take.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include "proffer/check.hpp"
#include "proffer/study/trace_readers.hpp"
#include "study/csv_field.hpp"
#include "study/readers/columns.hpp"
#include "study/readers/volumes.hpp"

namespace proffer::study {
namespace {

/// "12" or "12.000345": exact.
std::string seconds_text(Duration time) {
  const auto us = to_us(time);
  auto text = fmt::format("{}.{:06}", us / 1'000'000, us % 1'000'000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string times_text(const std::vector<WorkloadTask>& tasks) {
  if (tasks.empty()) return {};
  const auto equal = [&](const WorkloadTask& task) { return task.compute == tasks.front().compute; };
  std::string text = seconds_text(tasks.front().compute);
  if (std::all_of(tasks.begin(), tasks.end(), equal)) return text;
  for (auto task = std::next(tasks.begin()); task != tasks.end(); ++task) {
    text.append(1, ' ').append(seconds_text(task->compute));
  }
  return text;
}

/// Returns whether a job does not simply read each block of its file as a whole.
bool reads_part(const WorkloadJob& job) {
  return !job.reads.empty() || std::any_of(job.maps.begin(), job.maps.end(),
                                           [](const WorkloadTask& map) { return map.input_bytes > 0; });
}

std::uint64_t bytes_of(const WorkloadFile& file) {
  return std::accumulate(file.blocks.begin(), file.blocks.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const WorkloadBlock& block) { return sum + block.bytes; });
}

/// Returns whether a file is read by several jobs.
bool has_shared_files(const Workload& workload) {
  std::set<std::uint32_t> read;
  return std::any_of(workload.jobs.begin(), workload.jobs.end(),
                     [&](const WorkloadJob& job) { return job.file && !read.insert(*job.file).second; });
}

std::string value(TraceColumn column, const Workload& workload, const WorkloadJob& job,
                  const Volumes& volumes) {
  switch (column) {
    case TraceColumn::job:
      return csv_field(job.name);
    case TraceColumn::framework:
      return csv_field(job.framework);
    case TraceColumn::pool:
      return csv_field(job.pool);
    case TraceColumn::user:
      return csv_field(job.user);
    case TraceColumn::bin:
      return csv_field(job.bin);
    case TraceColumn::submit_s:
      return seconds_text(job.submit);
    case TraceColumn::setup_s:
      return seconds_text(job.setup);
    case TraceColumn::cleanup_s:
      return seconds_text(job.cleanup);
    case TraceColumn::file:
      return job.file ? csv_field(workload.files[*job.file].path) : "";
    case TraceColumn::file_bytes:
      return reads_part(job) ? fmt::format("{}", bytes_of(workload.files[*job.file])) : "";
    case TraceColumn::maps:
      return fmt::format("{}", job.maps.size());
    case TraceColumn::reduces:
      return fmt::format("{}", job.reduces.size());
    case TraceColumn::input_bytes:
      return fmt::format("{}", volumes.input);
    case TraceColumn::shuffle_bytes:
      return fmt::format("{}", volumes.shuffle);
    case TraceColumn::output_bytes:
      return fmt::format("{}", volumes.output);
    case TraceColumn::map_s:
      return times_text(job.maps);
    case TraceColumn::reduce_s:
      return times_text(job.reduces);
  }
  PROFFER_CHECK(false, "a column that does not exist");
}

}  // namespace

std::string write_csv_trace(const Workload& workload) {
  std::string text;
  for (const auto column : kTraceColumns) text.append(text.empty() ? "" : ",").append(to_string(column));
  text += "\r\n";
  for (const auto& job : workload.jobs) {
    const auto volumes = volumes_of(workload, job);
    for (const auto column : kTraceColumns) {
      if (column != kTraceColumns.front()) text += ',';
      text += value(column, workload, job, volumes);
    }
    text += "\r\n";
  }
  return text;
}

std::string write_swim_trace(const Workload& workload) {
  std::string text;
  std::int64_t last = 0;
  const bool with_paths = has_shared_files(workload);
  for (const auto& job : workload.jobs) {
    const auto volumes = volumes_of(workload, job);
    const auto submit = std::chrono::floor<std::chrono::seconds>(job.submit).count();
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}", job.name, submit, submit - last,
                   volumes.input, volumes.shuffle, volumes.output);
    if (with_paths) text.append("\t").append(job.file ? workload.files[*job.file].path : "");
    text += '\n';
    last = submit;
  }
  return text;
}

}  // namespace proffer::study
