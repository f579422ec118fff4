// SWIM: Chen, Ganapathi, Griffith, Katz: The Case for Evaluating MapReduce Performance Using Workload Suites
// (MASCOTS 2011), as its repository writes samples.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/limits.hpp"
#include "proffer/study/trace_readers.hpp"
#include "study/readers/assembly.hpp"
#include "study/readers/field.hpp"
#include "study/readers/input_files.hpp"
#include "study/readers/lines.hpp"

namespace proffer::study {
namespace {

constexpr std::size_t kNeeded = 6;
constexpr std::size_t kColumns = 8;  ///< with the paths of input and output

struct SwimRow {
  std::string job;
  Duration submit{};
  std::uint64_t input = 0;
  std::uint64_t shuffle = 0;
  std::uint64_t output = 0;
  std::string input_path;   ///< empty: there is none
  std::string output_path;  ///< likewise
};

/// The columns that are known, of which the last ones may be missing or empty; what stands behind them is
/// passed over.
Result<std::array<std::string_view, kColumns>> columns_of(TracePlace place, std::string_view line) {
  std::array<std::string_view, kColumns> columns;
  const auto tabs = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t'));
  if (tabs + 1 < kNeeded) {
    return error_at(
        place, fmt::format("{} of 6 columns; expected, separated by tabs: job, submit s, gap s, map-input "
                           "bytes, shuffle bytes, reduce-output bytes, and perhaps the paths of input and "
                           "output",
                           tabs + 1));
  }
  for (auto& column : columns) {
    const auto tab = std::min(line.find('\t'), line.size());
    column = line.substr(0, tab);
    line.remove_prefix(std::min(tab + 1, line.size()));
  }
  return columns;
}

std::string rooted(std::string_view path) {
  return path.empty() || path.starts_with('/') ? std::string(path) : fmt::format("/{}", path);
}

Result<SwimRow> row_of(TracePlace place, std::string_view line) {
  const auto columns = columns_of(place, line);
  if (!columns) return columns.error();
  const auto& [job, submit, gap, input, shuffle, output, input_path, output_path] = *columns;
  if (job.empty()) return error_at(place, "the job's name is missing; expected one in the first column");
  const auto submit_s = read_seconds(place, "the submit time", submit);
  if (!submit_s) return submit_s.error();
  if (const auto gap_s = read_seconds(place, "the gap", gap); !gap_s) return gap_s.error();
  SwimRow row{std::string(job), *submit_s, 0, 0, 0, rooted(input_path), rooted(output_path)};
  for (const auto& [name, text, into] :
       {std::tuple{"the map input", input, &row.input}, std::tuple{"the shuffle", shuffle, &row.shuffle},
        std::tuple{"the reduce output", output, &row.output}}) {
    const auto bytes = read_count(place, name, text, kMostBytes);
    if (!bytes) return bytes.error();
    *into = *bytes;
  }
  return row;
}

std::vector<WorkloadTask> tasks_of(std::size_t count, std::uint64_t output, const Distribution& time,
                                   Random& random) {
  std::vector<WorkloadTask> tasks;
  tasks.reserve(count);
  if (count == 0) return tasks;
  for (const auto bytes : parts_of(output, count)) tasks.push_back({draw(time, random), bytes});
  return tasks;
}

class SwimReader {
 public:
  SwimReader(std::string_view file, const TraceSettings& settings)
      : assembly_(file), settings_(settings), files_(settings.block_bytes) {}

  Result<> add(TracePlace place, const SwimRow& row) {
    const auto maps = std::max<std::uint64_t>(1, count_pieces(row.input, settings_.block_bytes));
    const auto reduces = count_pieces(row.shuffle, settings_.reduce_bytes);
    if (maps > limits::kBlocksPerFile || reduces > kMaxReduces) {
      return error_at(
          place, fmt::format("job \"{}\" would have {} maps and {} reduces; expected at most {} and {}: use "
                             "larger blocks, or more bytes a reduce",
                             row.job, maps, reduces, limits::kBlocksPerFile, kMaxReduces));
    }
    WorkloadJob job;
    job.name = row.job;
    job.submit = row.submit;
    auto random = stream_of(settings_, job.name);
    job.maps = tasks_of(maps, reduces > 0 ? row.shuffle : row.output, settings_.map_time, random);
    job.reduces = tasks_of(reduces, row.output, settings_.reduce_time, random);
    if (const auto added = assembly_.add_job(place, std::move(job)); !added) return added.error();
    name_files(place, row);
    return {};
  }

  Result<TraceRead> finish() {
    if (const auto added = files_.add_to(assembly_); !added) return added.error();
    if (made_ > 0) {
      assembly_.note(fmt::format(
          "{} jobs read what a job of the trace writes: such a file is there from the beginning", made_));
    }
    assembly_.note("SWIM has no task times: they are drawn from the map and reduce times of the settings");
    return assembly_.finish(false);
  }

 private:
  void name_files(TracePlace place, const SwimRow& row) {
    if (row.input > 0) {
      auto path = row.input_path.empty() ? "/swim/" + row.job : row.input_path;
      made_ += outputs_.contains(path);
      files_.add_reader(place, assembly_, std::move(path), row.input);
    }
    if (row.output_path.empty()) return;
    outputs_.insert(row.output_path);
    files_.add_size(place, row.output_path, row.output);
  }

  Assembly assembly_;
  const TraceSettings& settings_;
  InputFiles files_;
  std::set<std::string> outputs_;  ///< paths that a job writes
  std::uint64_t made_ = 0;         ///< jobs that read such a path
};

}  // namespace

Result<TraceRead> parse_swim_trace(std::string_view text, std::string_view file,
                                   const TraceSettings& settings) {
  SwimReader reader(file, settings);
  TextLines lines(text);
  while (const auto line = lines.next()) {
    const TracePlace place{file, lines.number()};
    const auto row = row_of(place, *line);
    if (!row) return row.error();
    if (const auto added = reader.add(place, *row); !added) return added.error();
  }
  return reader.finish();
}

}  // namespace proffer::study
