// SWIM: Chen, Ganapathi, Griffith, Katz: The Case for Evaluating MapReduce Performance Using Workload Suites
// (MASCOTS 2011), as its repository writes samples.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "proffer/study/trace_readers.hpp"
#include "study/readers/assembly.hpp"
#include "study/readers/field.hpp"
#include "study/readers/lines.hpp"

namespace proffer::study {
namespace {

constexpr std::size_t kColumns = 6;

struct SwimRow {
  std::string job;
  Duration submit{};
  std::uint64_t input = 0;
  std::uint64_t shuffle = 0;
  std::uint64_t output = 0;
};

Result<std::array<std::string_view, kColumns>> columns_of(TracePlace place, std::string_view line) {
  std::array<std::string_view, kColumns> columns;
  const auto tabs = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t'));
  if (tabs + 1 != kColumns) {
    return error_at(
        place, fmt::format("{} of 6 columns; expected, separated by tabs: job, submit s, gap s, map-input "
                           "bytes, shuffle bytes, reduce-output bytes",
                           tabs + 1));
  }
  for (auto& column : columns) {
    const auto tab = std::min(line.find('\t'), line.size());
    column = line.substr(0, tab);
    line.remove_prefix(std::min(tab + 1, line.size()));
  }
  return columns;
}

Result<SwimRow> row_of(TracePlace place, std::string_view line) {
  const auto columns = columns_of(place, line);
  if (!columns) return columns.error();
  const auto& [job, submit, gap, input, shuffle, output] = *columns;
  if (job.empty()) return error_at(place, "the job's name is missing; expected one in the first column");
  const auto submit_s = read_seconds(place, "the submit time", submit);
  if (!submit_s) return submit_s.error();
  if (const auto gap_s = read_seconds(place, "the gap", gap); !gap_s) return gap_s.error();
  SwimRow row{std::string(job), *submit_s, 0, 0, 0};
  for (const auto& [name, text, into] :
       {std::tuple{"the map input", input, &row.input}, std::tuple{"the shuffle", shuffle, &row.shuffle},
        std::tuple{"the reduce output", output, &row.output}}) {
    const auto bytes = read_count(place, name, text, kMostBytes);
    if (!bytes) return bytes.error();
    *into = *bytes;
  }
  return row;
}

std::uint64_t pieces(std::uint64_t bytes, std::uint64_t piece) {
  return bytes / piece + (bytes % piece != 0);
}

std::vector<WorkloadBlock> blocks_of(std::uint64_t bytes, std::uint64_t block_bytes) {
  std::vector<WorkloadBlock> blocks;
  for (; bytes > 0; bytes -= blocks.back().bytes) blocks.push_back({std::min(bytes, block_bytes), {}});
  return blocks;
}

std::vector<WorkloadTask> tasks_of(std::size_t count, std::uint64_t output, const Distribution& time,
                                   Random& random) {
  std::vector<WorkloadTask> tasks;
  tasks.reserve(count);
  if (count == 0) return tasks;
  for (const auto bytes : parts_of(output, count)) tasks.push_back({draw(time, random), bytes});
  return tasks;
}

Result<> add(Assembly& assembly, TracePlace place, const SwimRow& row, const TraceSettings& settings) {
  const auto maps = std::max<std::uint64_t>(1, pieces(row.input, settings.block_bytes));
  const auto reduces = pieces(row.shuffle, settings.reduce_bytes);
  if (maps > kMostTasks || reduces > kMostTasks) {
    return error_at(
        place, fmt::format("job \"{}\" would have {} maps and {} reduces; expected at most {}: use larger "
                           "blocks, or more bytes a reduce",
                           row.job, maps, reduces, kMostTasks));
  }
  WorkloadJob job;
  job.name = row.job;
  job.submit = row.submit;
  auto random = stream_of(settings, job.name);
  job.maps = tasks_of(maps, reduces > 0 ? row.shuffle : row.output, settings.map_time, random);
  job.reduces = tasks_of(reduces, row.output, settings.reduce_time, random);
  if (row.input > 0)
    job.file = assembly.add_file("/swim/" + row.job, blocks_of(row.input, settings.block_bytes));
  return assembly.add_job(place, std::move(job));
}

}  // namespace

Result<TraceRead> parse_swim_trace(std::string_view text, std::string_view file,
                                   const TraceSettings& settings) {
  Assembly assembly(file);
  TextLines lines(text);
  while (const auto line = lines.next()) {
    const TracePlace place{file, lines.number()};
    const auto row = row_of(place, *line);
    if (!row) return row.error();
    if (const auto added = add(assembly, place, *row, settings); !added) return added.error();
  }
  assembly.note("SWIM has no task times: they are drawn from the map and reduce times of the settings");
  return assembly.finish(false);
}

}  // namespace proffer::study
