// Google cluster-usage traces, version 2 (Reiss, Wilkes, Hellerstein: Google cluster-usage traces: format +
// schema, 2011): the tables job_events and task_events.
#include <fmt/format.h>

#include "proffer/study/trace_readers.hpp"
#include "study/readers/csv_records.hpp"
#include "study/readers/field.hpp"
#include "study/readers/task_runs.hpp"

namespace proffer::study {
namespace {

using Event = TaskRuns::Event;
using Record = std::vector<std::string>;

constexpr std::size_t kJobColumns = 8;
constexpr std::size_t kTaskColumns = 13;
constexpr std::uint64_t kMostTime = ~std::uint64_t{0} >> 1;
constexpr std::uint64_t kLastType = 8;

Event event_of(std::uint64_t type) {
  if (type == 0) return Event::submitted;
  if (type == 1) return Event::began;
  return type <= 6 ? Event::ended : Event::other;  // evicted, failed, finished, killed, lost; updates
}

Result<> read_record(TaskRuns& runs, TracePlace place, const Record& record) {
  const bool is_task = record.size() == kTaskColumns;
  if (!is_task && record.size() != kJobColumns) {
    return error_at(place, fmt::format("{} columns; expected the 8 of job_events or the 13 of task_events",
                                       record.size()));
  }
  const auto time = read_count(place, "the time", record[0], kMostTime);
  if (!time) return time.error();
  const auto job = read_count(place, "the job's id", record[2], kMostTime);
  if (!job) return job.error();
  const auto type = read_count(place, "the event", record[is_task ? 5 : 3], kLastType);
  if (!type) return type.error();
  if (!is_task) {
    runs.of_job(place, *job, event_of(*type), *time, record[4]);
    return {};
  }
  const auto task = read_count(place, "the task's index", record[3], kMostTime);
  if (!task) return task.error();
  runs.of_task(place, *job, *task, event_of(*type), *time, record[6]);
  return {};
}

}  // namespace

Result<TraceRead> parse_google2011_trace(const TraceTexts& texts, std::string_view path) {
  TaskRuns runs;
  while (true) {
    const auto text = texts();
    if (!text) return text.error();
    if (!*text) return std::move(runs).finish(path);
    CsvRecords records((*text)->text, (*text)->file);
    while (true) {
      const auto record = records.next();
      if (!record) return record.error();
      if (!*record) break;
      const auto read = read_record(runs, {(*text)->file, records.line()}, **record);
      if (!read) return read.error();
    }
  }
}

}  // namespace proffer::study
