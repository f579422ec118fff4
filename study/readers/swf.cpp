// The Standard Workload Format, version 2.2 (Parallel Workloads Archive,
// https://www.cs.huji.ac.il/labs/parallel/workload/swf.html; Chapin et al.: Benchmarks and Standards for the
// Evaluation of Parallel Job Schedulers, JSSPP 1999).
#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "proffer/study/trace_readers.hpp"
#include "study/readers/assembly.hpp"
#include "study/readers/field.hpp"
#include "study/readers/lines.hpp"

namespace proffer::study {
namespace {

constexpr std::size_t kColumns = 18;
constexpr std::string_view kBlanks = " \t";
constexpr std::int64_t kFirstPartial = 2;  // statuses of lines that tell of a part of a job
constexpr std::int64_t kLastPartial = 4;

/// The columns that are read, by their places in a line, from 0.
enum Column : std::size_t {
  number = 0,
  submit = 1,
  run = 3,
  got = 4,
  asked = 7,
  status = 10,
  user = 11,
  queue = 14
};

using Columns = std::array<std::string_view, kColumns>;

Result<Columns> columns_of(TracePlace place, std::string_view line) {
  Columns columns;
  std::size_t count = 0;
  for (auto at = line.find_first_not_of(kBlanks); at != line.npos; at = line.find_first_not_of(kBlanks, at)) {
    const auto end = std::min(line.find_first_of(kBlanks, at), line.size());
    if (count < kColumns) columns[count] = line.substr(at, end - at);
    ++count;
    at = end;
  }
  if (count == kColumns) return columns;
  return error_at(place, fmt::format("{} of 18 columns; expected those of the Standard Workload Format, with "
                                     "-1 for what is not known",
                                     count));
}

bool is_unknown(std::string_view text) { return text == "-1"; }

/// A column that is a number from 0 on, or -1 for none.
Result<std::optional<std::uint64_t>> count_at(TracePlace place, std::string_view name, std::string_view text,
                                              std::uint64_t most) {
  if (is_unknown(text)) return std::optional<std::uint64_t>();
  const auto count = read_count(place, name, text, most);
  if (!count) return count.error();
  return std::optional(*count);
}

std::string name_at(std::string_view text) { return is_unknown(text) ? "" : std::string(text); }

class SwfReader {
 public:
  explicit SwfReader(std::string_view file) : assembly_(file) {}

  Result<> add(TracePlace place, const Columns& columns) {
    const auto state = count_at(place, "the status", columns[status], 5);
    if (!state) return state.error();
    const auto submitted = read_seconds(place, "the submit time", columns[submit]);
    if (!submitted) return submitted.error();
    const auto got_them = count_at(place, "the number of processors", columns[got], kMostMaps);
    if (!got_them) return got_them.error();
    const auto asked_for = count_at(place, "the number of processors asked for", columns[asked], kMostMaps);
    if (!asked_for) return asked_for.error();
    if (*state && *state >= kFirstPartial && *state <= kLastPartial) return pass(parts_);
    const auto processors = got_them->value_or(0) > 0 ? **got_them : asked_for->value_or(0);
    if (is_unknown(columns[run]) || processors == 0) return pass(unknown_);
    const auto ran = read_seconds(place, "the run time", columns[run]);
    if (!ran) return ran.error();
    WorkloadJob job;
    job.name = std::string(columns[number]);
    job.user = name_at(columns[user]);
    job.pool = name_at(columns[queue]);
    job.submit = *submitted;
    job.maps.assign(processors, {*ran, 0});
    return assembly_.add_job(place, std::move(job));
  }

  Result<TraceRead> finish() {
    if (parts_ > 0)
      assembly_.note(fmt::format("{} lines tell of parts of jobs, and were passed over", parts_));
    if (unknown_ > 0) {
      assembly_.note(fmt::format(
          "{} jobs have no run time or no processors (most never ran), and were left out", unknown_));
    }
    assembly_.note(
        "SWF has no data: jobs are maps that read nothing, one a processor, which need not run at the same "
        "time");
    return assembly_.finish(false);
  }

 private:
  static Result<> pass(std::uint64_t& counter) {
    ++counter;
    return {};
  }

  Assembly assembly_;
  std::uint64_t parts_ = 0;
  std::uint64_t unknown_ = 0;
};

}  // namespace

Result<TraceRead> parse_swf_trace(std::string_view text, std::string_view file) {
  SwfReader reader(file);
  TextLines lines(text);
  while (const auto line = lines.next()) {
    const auto first = line->find_first_not_of(kBlanks);
    if ((*line)[first] == ';') continue;
    const TracePlace place{file, lines.number()};
    const auto columns = columns_of(place, *line);
    if (!columns) return columns.error();
    if (const auto added = reader.add(place, *columns); !added) return added.error();
  }
  return reader.finish();
}

}  // namespace proffer::study
