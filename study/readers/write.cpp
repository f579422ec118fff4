// Workloads as text that readers take.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "proffer/check.hpp"
#include "proffer/study/trace_readers.hpp"
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

/// Quoted where it must be.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
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

std::string value(CsvColumn column, const Workload& workload, const WorkloadJob& job,
                  const Volumes& volumes) {
  switch (column) {
    case CsvColumn::job:
      return cell(job.name);
    case CsvColumn::framework:
      return cell(job.framework);
    case CsvColumn::pool:
      return cell(job.pool);
    case CsvColumn::user:
      return cell(job.user);
    case CsvColumn::bin:
      return cell(job.bin);
    case CsvColumn::submit_s:
      return seconds_text(job.submit);
    case CsvColumn::setup_s:
      return seconds_text(job.setup);
    case CsvColumn::cleanup_s:
      return seconds_text(job.cleanup);
    case CsvColumn::file:
      return job.file ? cell(workload.files[*job.file].path) : "";
    case CsvColumn::maps:
      return fmt::format("{}", job.maps.size());
    case CsvColumn::reduces:
      return fmt::format("{}", job.reduces.size());
    case CsvColumn::input_bytes:
      return fmt::format("{}", volumes.input);
    case CsvColumn::shuffle_bytes:
      return fmt::format("{}", volumes.shuffle);
    case CsvColumn::output_bytes:
      return fmt::format("{}", volumes.output);
    case CsvColumn::map_s:
      return times_text(job.maps);
    case CsvColumn::reduce_s:
      return times_text(job.reduces);
  }
  PROFFER_CHECK(false, "a column that does not exist");
}

}  // namespace

std::string write_csv_trace(const Workload& workload) {
  std::string text;
  for (const auto column : kCsvColumns) text.append(text.empty() ? "" : ",").append(to_string(column));
  text += "\r\n";
  for (const auto& job : workload.jobs) {
    const auto volumes = volumes_of(workload, job);
    for (const auto column : kCsvColumns) {
      if (column != kCsvColumns.front()) text += ',';
      text += value(column, workload, job, volumes);
    }
    text += "\r\n";
  }
  return text;
}

std::string write_swim_trace(const Workload& workload) {
  std::string text;
  std::int64_t last = 0;
  for (const auto& job : workload.jobs) {
    const auto volumes = volumes_of(workload, job);
    const auto submit = std::chrono::floor<std::chrono::seconds>(job.submit).count();
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\n", job.name, submit, submit - last,
                   volumes.input, volumes.shuffle, volumes.output);
    last = submit;
  }
  return text;
}

}  // namespace proffer::study
