// YARN's Scheduler Load Simulator (Hadoop tools, hadoop-sls), its own JSON format.
#include <fmt/format.h>

#include <utility>

#include "proffer/study/trace_readers.hpp"
#include "study/readers/assembly.hpp"
#include "study/readers/json_fields.hpp"

namespace proffer::study {
namespace {

using formats::JsonNode;

struct SlsHost {
  std::string rack;
  std::string name;
};

/// "/rack/host".
std::optional<SlsHost> host_at(std::string_view text) {
  const auto slash = text.rfind('/');
  if (!text.starts_with('/') || slash == 0 || slash + 1 == text.size() || slash == 1) return std::nullopt;
  return SlsHost{std::string(text.substr(1, slash - 1)), std::string(text.substr(slash + 1))};
}

class SlsReader {
 public:
  SlsReader(std::string_view file, Assembly& assembly, const TraceSettings& settings)
      : file_(file), assembly_(assembly), settings_(settings) {}

  Result<> read(const JsonNode& object) {
    JsonFields fields(file_, object);
    WorkloadJob job;
    job.name = fields.text("job.id");
    job.pool = fields.text_or_empty("job.queue.name");
    job.user = fields.text_or_empty("job.user");
    job.submit = fields.ms("job.start.ms");
    if (fields.ms("job.end.ms") < job.submit && !fields.error()) {
      fields.fail(error_at(fields.place(), "job.end.ms is before job.start.ms; expected it after"));
    }
    const auto& tasks = fields.items("job.tasks");
    if (fields.error()) return *fields.error();
    std::vector<WorkloadBlock> blocks;
    for (const auto& task : tasks) {
      if (const auto added = add_task(task, job, blocks); !added) return added.error();
    }
    return add_job(fields.place(), std::move(job), std::move(blocks));
  }

 private:
  Result<> add_task(const JsonNode& object, WorkloadJob& job, std::vector<WorkloadBlock>& blocks) {
    JsonFields fields(file_, object);
    const auto type = fields.text("container.type");
    const auto start = fields.ms("container.start.ms");
    const auto end = fields.ms("container.end.ms");
    const auto host = host_at(fields.text("container.host"));
    if (fields.error()) return *fields.error();
    if (end < start) {
      return error_at(fields.place(), "container.end.ms is before container.start.ms; expected it after");
    }
    if (!host) return error_at(fields.place(), "container.host is no host; expected \"/RACK/HOST\"");
    if (type != "map" && type != "reduce") {
      return error_at(fields.place(), fmt::format("container.type is \"{}\"; expected map or reduce", type));
    }
    (type == "map" ? job.maps : job.reduces).push_back({end - start, 0});
    if (type == "map") blocks.push_back({settings_.block_bytes, {host->name}});
    return assembly_.add_node(fields.place(), host->name, host->rack);
  }

  Result<> add_job(TracePlace place, WorkloadJob job, std::vector<WorkloadBlock> blocks) {
    if (job.maps.empty() && job.reduces.empty()) {
      assembly_.note(fmt::format("job {} has no task and was left out", job.name));
      return {};
    }
    if (!blocks.empty()) job.file = assembly_.add_file("/sls/" + job.name, std::move(blocks));
    return assembly_.add_job(place, std::move(job));
  }

  std::string_view file_;
  Assembly& assembly_;
  const TraceSettings& settings_;
};

}  // namespace

Result<TraceRead> parse_sls_trace(std::string_view text, std::string_view file,
                                  const TraceSettings& settings) {
  const auto jobs = read_objects(text, file);
  if (!jobs) return jobs.error();
  Assembly assembly(file);
  SlsReader reader(file, assembly, settings);
  for (const auto& job : *jobs) {
    if (const auto read = reader.read(job); !read) return read.error();
  }
  assembly.note(fmt::format("SLS has no sizes: every map reads {} bytes, and nothing is written",
                            settings.block_bytes));
  return assembly.finish(true);
}

}  // namespace proffer::study
