// Alibaba's cluster-trace-v2018 (github.com/alibaba/clusterdata, cluster-trace-v2018/schema.txt): the tables
// batch_task and batch_instance, CSV without headers.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/study/trace_readers.hpp"
#include "study/readers/assembly.hpp"
#include "study/readers/csv_records.hpp"
#include "study/readers/field.hpp"

namespace proffer::study {
namespace {

using Record = std::vector<std::string>;

constexpr std::size_t kTaskColumns = 9;
constexpr std::size_t kInstanceColumns = 14;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a name such as "R4_2_3" (task 4 waits for 2 and 3) has a number behind the first: "M1" waits for
/// none, and names without numbers ("task_Nzg3") say nothing.
bool waits_for_others(std::string_view name) {
  const auto number = std::find_if(name.begin(), name.end(), is_digit);
  const bool only_letters = std::all_of(name.begin(), number, [](char c) { return c != '_'; });
  const auto after = std::find_if_not(number, name.end(), is_digit);
  return only_letters && number != name.begin() && after != name.end() && *after == '_' &&
         std::next(after) != name.end() && is_digit(*std::next(after));
}

/// The time that a row tells of, in seconds; none unless it terminated, and began in the trace.
struct Span {
  std::uint64_t begin = 0;
  std::uint64_t seconds = 0;
};

class AlibabaReader {
 public:
  Result<> read(TracePlace place, const Record& record) {
    if (record.size() == kTaskColumns) return read_task(place, record);
    if (record.size() == kInstanceColumns) return read_instance(place, record);
    return error_at(place, fmt::format("{} columns; expected the 9 of batch_task or the 14 of batch_instance",
                                       record.size()));
  }

  Result<TraceRead> finish(std::string_view file) && {
    Assembly assembly(file);
    for (auto& [name, tasks] : jobs_) {
      auto job = make_job(name, tasks);
      if (job.maps.empty()) continue;
      if (job.reduces.size() > kMaxReduces || job.maps.size() > kMostMaps) {
        ++too_large_;
        continue;
      }
      const auto added = assembly.add_job(tasks.begin()->second.place, std::move(job));
      if (!added) return added.error();
    }
    note(assembly);
    return assembly.finish(true);
  }

 private:
  struct Task {
    TracePlace place;
    std::optional<std::uint64_t> begin;
    std::uint64_t count = 0;  ///< of batch_task, with the time of each
    std::uint64_t seconds = 0;
    std::vector<std::uint32_t> instances;  ///< seconds, of batch_instance
  };
  using Tasks = std::map<std::string, Task>;

  Result<std::optional<Span>> span_of(TracePlace place, const Record& record, std::size_t status) {
    if (record[status] != "Terminated") return none();
    constexpr std::uint64_t kLatest = 0xffff'ffff;
    const auto begin = read_count(place, "start_time", record[status + 1], kLatest);
    if (!begin) return begin.error();
    const auto end = read_count(place, "end_time", record[status + 2], kLatest);
    if (!end) return end.error();
    if (*begin == 0 || *end < *begin) return none();
    return std::optional<Span>({*begin, *end - *begin});
  }
  std::optional<Span> none() {
    ++left_out_;
    return {};
  }

  Task& task_of(TracePlace place, const std::string& job, const std::string& name, std::uint64_t begin) {
    auto& task = jobs_[job].try_emplace(name, Task{place, {}, 0, 0, {}}).first->second;
    task.begin = std::min(task.begin.value_or(begin), begin);
    return task;
  }

  Result<> read_task(TracePlace place, const Record& record) {
    const auto count = read_count(place, "instance_num", record[1], kMostMaps);
    if (!count) return count.error();
    const auto span = span_of(place, record, 4);
    if (!span) return span.error();
    if (!*span) return {};
    auto& task = task_of(place, record[2], record[0], (*span)->begin);
    task.count = *count;
    task.seconds = (*span)->seconds;
    return {};
  }

  Result<> read_instance(TracePlace place, const Record& record) {
    const auto span = span_of(place, record, 4);
    if (!span) return span.error();
    if (!*span) return {};
    task_of(place, record[2], record[1], (*span)->begin)
        .instances.push_back(static_cast<std::uint32_t>((*span)->seconds));
    return {};
  }

  WorkloadJob make_job(const std::string& name, const Tasks& tasks) {
    WorkloadJob job;
    job.name = name;
    auto begin = *tasks.begin()->second.begin;
    std::size_t waiting = 0;
    for (const auto& [task_name, task] : tasks) {
      begin = std::min(begin, *task.begin);
      const bool waits = waits_for_others(task_name);
      waiting += waits;
      auto& into = waits ? job.reduces : job.maps;
      for (const auto seconds : task.instances) into.push_back({std::chrono::seconds(seconds), 0});
      if (task.instances.empty())
        into.insert(into.end(), task.count, {std::chrono::seconds(task.seconds), 0});
    }
    flattened_ += waiting > 1;
    if (job.maps.empty()) std::swap(job.maps, job.reduces);  // what it waits for is not in the trace
    job.submit = std::chrono::seconds(begin);
    return job;
  }

  void note(Assembly& assembly) const {
    if (left_out_ > 0)
      assembly.note(fmt::format("{} rows have not terminated, or began before the trace, and were left out",
                                left_out_));
    if (flattened_ > 0) {
      assembly.note(
          fmt::format("{} jobs have several tasks that wait for others: these all follow the first "
                      "ones at once, as reduces",
                      flattened_));
    }
    if (too_large_ > 0)
      assembly.note(
          fmt::format("{} jobs have more instances that wait for others than the {} reduces of a "
                      "job, and were left out",
                      too_large_, kMaxReduces));
    assembly.note("the trace has no data, and no submit times: a job comes when its first task begins");
  }

  std::map<std::string, Tasks> jobs_;
  std::uint64_t left_out_ = 0;
  std::uint64_t flattened_ = 0;
  std::uint64_t too_large_ = 0;
};

}  // namespace

Result<TraceRead> parse_alibaba2018_trace(const TraceTexts& texts, std::string_view path) {
  AlibabaReader reader;
  while (true) {
    const auto text = texts();
    if (!text) return text.error();
    if (!*text) return std::move(reader).finish(path);
    CsvRecords records((*text)->text, (*text)->file);
    while (true) {
      const auto record = records.next();
      if (!record) return record.error();
      if (!*record) break;
      const auto read = reader.read({(*text)->file, records.line()}, **record);
      if (!read) return read.error();
    }
  }
}

}  // namespace proffer::study
