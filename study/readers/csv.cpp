// Our own table of jobs.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "proffer/formats/nearest.hpp"
#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/study/trace_readers.hpp"
#include "study/readers/assembly.hpp"
#include "study/readers/columns.hpp"
#include "study/readers/csv_records.hpp"
#include "study/readers/field.hpp"
#include "study/readers/input_files.hpp"

namespace proffer::study {
namespace {

using Record = std::vector<std::string>;

/// The header of a trace: which field of a record is which column.
class Header {
 public:
  static Result<Header> read(TracePlace place, const Record& names) {
    Header header;
    for (const auto& name : names) {
      const auto column = std::find_if(kTraceColumns.begin(), kTraceColumns.end(),
                                       [&](TraceColumn known) { return to_string(known) == name; });
      if (column == kTraceColumns.end())
        return error_at(place, formats::unknown("column", name, known_names()));
      if (!header.index_.try_emplace(*column, header.index_.size()).second) {
        return error_at(place, fmt::format("the column {} is there twice; expected it once", name));
      }
    }
    for (const auto needed : {TraceColumn::job, TraceColumn::submit_s, TraceColumn::maps}) {
      if (header.index_.contains(needed)) continue;
      return error_at(place,
                      fmt::format("the column {} is missing; expected a header with job, submit_s and maps",
                                  to_string(needed)));
    }
    return header;
  }

  std::size_t size() const { return index_.size(); }
  std::string_view field(const Record& record, TraceColumn column) const {
    const auto found = index_.find(column);
    return found == index_.end() ? std::string_view{} : std::string_view(record[found->second]);
  }

 private:
  static std::vector<std::string_view> known_names() {
    std::vector<std::string_view> names;
    for (const auto column : kTraceColumns) names.push_back(to_string(column));
    return names;
  }
  std::map<TraceColumn, std::size_t> index_;
};

/// Reads one row; the first thing wrong with it is what is told.
class Row {
 public:
  Row(TracePlace place, const Header& header, const Record& record)
      : place_(place), header_(header), record_(record) {}

  const TracePlace& place() const { return place_; }
  const std::optional<Error>& error() const { return error_; }
  std::string text(TraceColumn column) const { return std::string(header_.field(record_, column)); }

  void fail(Error error) {
    if (!error_) error_ = std::move(error);
  }
  void fail(std::string_view what) { fail(error_at(place_, what)); }

  std::uint64_t count(TraceColumn column, std::uint64_t most) { return number(column, "0", most); }
  Duration seconds(TraceColumn column) {
    const auto text = header_.field(record_, column);
    return text.empty() && column != TraceColumn::submit_s
               ? Duration{}
               : take(read_seconds(place_, to_string(column), text));
  }

  /// So many tasks that share `output`, with the times that stand in `column`.
  std::vector<WorkloadTask> tasks(std::uint64_t count, std::uint64_t output, TraceColumn column) {
    const auto times = times_of(column);
    if (times.size() > 1 && times.size() != count) {
      fail(fmt::format("{} has {} times for {} tasks; expected one time, or one each", to_string(column),
                       times.size(), count));
    }
    if (error_ || count == 0) return {};
    std::vector<WorkloadTask> tasks;
    tasks.reserve(count);
    for (const auto bytes : parts_of(output, count)) {
      const auto time = times.empty() ? Duration{} : times[times.size() == 1 ? 0 : tasks.size()];
      tasks.push_back({time, bytes});
    }
    return tasks;
  }

 private:
  template <class T>
  T take(Result<T> read) {
    if (read) return *read;
    fail(read.error());
    return T{};
  }
  std::uint64_t number(TraceColumn column, std::string_view otherwise, std::uint64_t most) {
    const auto text = header_.field(record_, column);
    const bool needed = column == TraceColumn::maps;
    return take(read_count(place_, to_string(column), text.empty() && !needed ? otherwise : text, most));
  }
  std::vector<Duration> times_of(TraceColumn column) {
    std::vector<Duration> times;
    auto rest = header_.field(record_, column);
    while (!rest.empty() && !error_) {
      const auto end = std::min(rest.find(' '), rest.size());
      if (end > 0) times.push_back(take(read_seconds(place_, to_string(column), rest.substr(0, end))));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return times;
  }

  TracePlace place_;
  const Header& header_;
  const Record& record_;
  std::optional<Error> error_;
};

/// The path of a job's input and its bytes, as a row has them.
void read_input(Row& row, const Assembly& assembly, InputFiles& files) {
  const auto& job = assembly.jobs().back();
  auto path = row.text(TraceColumn::file);
  const auto bytes = row.count(TraceColumn::input_bytes, kMostBytes);
  const auto size = row.count(TraceColumn::file_bytes, kMostBytes);
  if (path.empty() && bytes == 0 && size == 0) return;
  const auto maps = job.maps.size();
  if (bytes < maps || maps == 0) {
    row.fail(fmt::format("input_bytes is {} for {} maps; expected at least a map, and a byte for each", bytes,
                         maps));
  }
  if (size > 0 && size < bytes) {
    row.fail(fmt::format(
        "file_bytes is {}, and input_bytes {}; expected a file as large as what is read of it", size, bytes));
  }
  if (row.error()) return;
  if (path.empty()) path = "/csv/" + job.name;
  files.add_size(row.place(), path, size);
  files.add_reader(row.place(), assembly, std::move(path), bytes);
}

void read_tasks(Row& row, WorkloadJob& job) {
  const auto maps = row.count(TraceColumn::maps, kMostMaps);
  const auto reduces = row.count(TraceColumn::reduces, kMaxReduces);
  const auto shuffle = row.count(TraceColumn::shuffle_bytes, kMostBytes);
  const auto output = row.count(TraceColumn::output_bytes, kMostBytes);
  if (maps + reduces == 0) row.fail("maps and reduces are both 0; expected a task at least");
  if (shuffle > 0 && (reduces == 0 || maps == 0)) {
    row.fail("shuffle_bytes without maps or without reduces; expected 0, or both kinds of task");
  }
  job.maps = row.tasks(maps, reduces > 0 ? shuffle : output, TraceColumn::map_s);
  job.reduces = row.tasks(reduces, output, TraceColumn::reduce_s);
}

Result<> add_row(Assembly& assembly, InputFiles& files, Row row) {
  WorkloadJob job;
  job.name = row.text(TraceColumn::job);
  if (job.name.empty()) row.fail("job is missing; expected a name");
  job.framework = row.text(TraceColumn::framework);
  job.pool = row.text(TraceColumn::pool);
  job.user = row.text(TraceColumn::user);
  job.bin = row.text(TraceColumn::bin);
  job.submit = row.seconds(TraceColumn::submit_s);
  job.setup = row.seconds(TraceColumn::setup_s);
  job.cleanup = row.seconds(TraceColumn::cleanup_s);
  read_tasks(row, job);
  if (row.error()) return *row.error();
  if (const auto added = assembly.add_job(row.place(), std::move(job)); !added) return added.error();
  read_input(row, assembly, files);
  return row.error() ? Result<>(*row.error()) : Result<>();
}

}  // namespace

Result<TraceRead> parse_csv_trace(std::string_view text, std::string_view file) {
  CsvRecords records(text, file);
  const auto names = records.next();
  if (!names) return names.error();
  if (!*names) return error_at({file, 1}, "the file is empty; expected a header with job, submit_s and maps");
  const auto header = Header::read({file, records.line()}, **names);
  if (!header) return header.error();
  Assembly assembly(file);
  InputFiles files;
  while (true) {
    const auto record = records.next();
    if (!record) return record.error();
    if (!*record) break;
    const TracePlace place{file, records.line()};
    if ((*record)->size() != header->size()) {
      return error_at(
          place, fmt::format("{} fields; expected {}, as the header has", (*record)->size(), header->size()));
    }
    if (const auto added = add_row(assembly, files, Row(place, *header, **record)); !added)
      return added.error();
  }
  if (const auto added = files.add_to(assembly); !added) return added.error();
  return assembly.finish(false);
}

}  // namespace proffer::study
