// Rumen: Hadoop MapReduce's tool that makes traces of job histories; as its tests write them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "proffer/limits.hpp"
#include "proffer/study/trace_readers.hpp"
#include "study/readers/assembly.hpp"
#include "study/readers/json_fields.hpp"
#include "study/readers/rumen_hosts.hpp"

namespace proffer::study {
namespace {

using formats::JsonNode;

/// A successful run of a task.
struct Attempt {
  Duration ran{};
  std::optional<std::uint64_t> read;
  std::optional<std::uint64_t> mapped;   ///< put out by a map
  std::optional<std::uint64_t> written;  ///< bytes written to the file system
};

/// The first successful attempt of a task, if there is one.
Result<std::optional<Attempt>> success_of(std::string_view file, const JsonNode& task) {
  JsonFields task_fields(file, task);
  const auto& attempts = task_fields.items("attempts");
  if (task_fields.error()) return *task_fields.error();
  for (const auto& object : attempts) {
    JsonFields fields(file, object);
    const bool success = fields.text_or_empty("result") == "SUCCESS";
    if (fields.error()) return *fields.error();
    if (!success) continue;
    const auto start = fields.ms("startTime");
    const auto finish = fields.ms("finishTime");
    const Attempt attempt{finish - start, fields.bytes("hdfsBytesRead"), fields.bytes("mapOutputBytes"),
                          fields.bytes("hdfsBytesWritten")};
    if (fields.error()) return *fields.error();
    if (finish < start) return error_at(fields.place(), "finishTime is before startTime; expected it after");
    return std::optional(attempt);
  }
  return std::optional<Attempt>{};
}

using Attempts = std::vector<std::optional<Attempt>>;

Result<Attempts> successes_of(std::string_view file, const std::vector<JsonNode>& tasks) {
  Attempts attempts;
  for (const auto& task : tasks) {
    auto attempt = success_of(file, task);
    if (!attempt) return attempt.error();
    attempts.push_back(*attempt);
  }
  return attempts;
}

/// None when no task was successful.
std::optional<Duration> mean_run(const Attempts& attempts) {
  Duration sum{};
  std::int64_t n = 0;
  for (const auto& attempt : attempts) {
    if (!attempt) continue;
    sum += attempt->ran;
    ++n;
  }
  return n > 0 ? std::optional(sum / n) : std::nullopt;
}

class RumenReader {
 public:
  RumenReader(const RumenTexts& texts, Assembly& assembly, const TraceSettings& settings)
      : file_(texts.trace_file), nodes_are_known_(texts.topology), assembly_(assembly), settings_(settings) {}

  Result<> read(const JsonNode& object) {
    JsonFields fields(file_, object);
    WorkloadJob job;
    job.name = fields.text("jobID");
    job.user = fields.text_or_empty("user");
    job.pool = fields.text_or_empty("queue");
    job.submit = fields.ms("submitTime");
    const auto& maps = fields.items("mapTasks");
    const auto& reduces = fields.items("reduceTasks");
    const auto& others = fields.items("otherTasks");
    if (fields.error()) return *fields.error();
    if (maps.empty() && reduces.empty()) {
      assembly_.note(fmt::format("{} has no map and no reduce, and was left out", job.name));
      return {};
    }
    for (const auto& step : {add_maps(maps, job), add_reduces(reduces, job), add_others(others, job)}) {
      if (!step) return step.error();
    }
    return assembly_.add_job(fields.place(), std::move(job));
  }

 private:
  Result<> add_maps(const std::vector<JsonNode>& tasks, WorkloadJob& job) {
    const auto attempts = successes_of(file_, tasks);
    if (!attempts) return attempts.error();
    auto random = stream_of(settings_, job.name + " maps");
    job.maps = make_tasks(*attempts, "maps", settings_.map_time, job.name, random);
    std::vector<WorkloadBlock> blocks;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto& attempt = (*attempts)[i];
      if (attempt) job.maps[i].output_bytes = attempt->mapped.value_or(attempt->written.value_or(0));
      auto block = block_of(tasks[i], attempt ? attempt->read : std::nullopt);
      if (!block) return block.error();
      blocks.push_back(std::move(*block));
    }
    note_unknown(blocks, job.name);
    if (!blocks.empty()) job.file = assembly_.add_file("/rumen/" + job.name, std::move(blocks));
    return {};
  }

  void note_unknown(const std::vector<WorkloadBlock>& blocks, const std::string& job) {
    const auto unknown = std::count_if(blocks.begin(), blocks.end(),
                                       [](const WorkloadBlock& block) { return block.unknown_place; });
    if (unknown == 0) return;
    assembly_.note(
        fmt::format("{}: where the data of {} of {} maps lay is not told; these may run anywhere, and "
                    "their recorded times include reading",
                    job, unknown, blocks.size()));
  }

  Result<> add_reduces(const std::vector<JsonNode>& tasks, WorkloadJob& job) {
    const auto attempts = successes_of(file_, tasks);
    if (!attempts) return attempts.error();
    auto random = stream_of(settings_, job.name + " reduces");
    job.reduces = make_tasks(*attempts, "reduces", settings_.reduce_time, job.name, random);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto& attempt = (*attempts)[i];
      if (attempt) job.reduces[i].output_bytes = attempt->written.value_or(0);
    }
    return {};
  }

  /// Set-up and clean-up, which Hadoop ran as tasks.
  Result<> add_others(const std::vector<JsonNode>& tasks, WorkloadJob& job) {
    const auto attempts = successes_of(file_, tasks);
    if (!attempts) return attempts.error();
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto& attempt = (*attempts)[i];
      if (!attempt) continue;
      const auto type = JsonFields(file_, tasks[i]).text_or_empty("taskType");
      if (type == "SETUP") job.setup += attempt->ran;
      if (type == "CLEANUP") job.cleanup += attempt->ran;
    }
    return {};
  }

  std::vector<WorkloadTask> make_tasks(const Attempts& attempts, std::string_view kind,
                                       const Distribution& time, const std::string& job, Random& random) {
    const auto mean = mean_run(attempts);
    const auto unknown = std::count(attempts.begin(), attempts.end(), std::nullopt);
    if (unknown > 0) {
      assembly_.note(fmt::format("{}: {} of {} {} have no successful attempt; {}", job, unknown,
                                 attempts.size(), kind,
                                 mean ? "they got the mean time of the others" : "their times are drawn"));
    }
    std::vector<WorkloadTask> tasks;
    for (const auto& attempt : attempts) {
      tasks.push_back({attempt ? attempt->ran : mean ? *mean : draw(time, random), 0});
    }
    return tasks;
  }

  Result<WorkloadBlock> block_of(const JsonNode& task, std::optional<std::uint64_t> read) {
    JsonFields fields(file_, task);
    const auto input = fields.bytes("inputBytes");
    const auto& places = fields.items("preferredLocations");
    if (fields.error()) return *fields.error();
    WorkloadBlock block;
    block.bytes = read.value_or(input.value_or(settings_.block_bytes));
    if (block.bytes == 0) block.bytes = 1;  // an empty file has a block, too
    if (block.bytes > limits::kBlockBytes) {
      return error_at(fields.place(), fmt::format("a map reads {} bytes; expected at most {}", block.bytes,
                                                  limits::kBlockBytes));
    }
    for (const auto& place : places) {
      auto name = node_of(place);
      if (!name) return name.error();
      if (std::find(block.nodes.begin(), block.nodes.end(), *name) == block.nodes.end()) {
        block.nodes.push_back(std::move(*name));
      }
    }
    block.unknown_place = block.nodes.empty();
    return block;
  }

  Result<std::string> node_of(const JsonNode& location) {
    auto host = host_at(file_, location);
    if (!host) return host.error();
    const TracePlace place{file_, location.line};
    if (nodes_are_known_ && !assembly_.has_node(host->name)) {
      return error_at(
          place, fmt::format("host \"{}\" is not in the topology; expected one of its hosts", host->name));
    }
    if (const auto added = assembly_.add_node(place, host->name, host->rack); !added) return added.error();
    return std::move(host->name);
  }

  std::string_view file_;
  bool nodes_are_known_;
  Assembly& assembly_;
  const TraceSettings& settings_;
};

}  // namespace

Result<TraceRead> parse_rumen_trace(const RumenTexts& texts, const TraceSettings& settings) {
  Assembly assembly(texts.trace_file);
  if (texts.topology) {
    const auto added = add_topology(assembly, *texts.topology, texts.topology_file);
    if (!added) return added.error();
  }
  const auto jobs = read_objects(texts.trace, texts.trace_file);
  if (!jobs) return jobs.error();
  RumenReader reader(texts, assembly, settings);
  for (const auto& job : *jobs) {
    if (const auto read = reader.read(job); !read) return read.error();
  }
  assembly.note("Rumen's times include the start-up and the reading of a task");
  return assembly.finish(true);
}

}  // namespace proffer::study
