// The totals of a workload: a table for people, JSON for programs.
#include <fmt/format.h>

#include "cli/output.hpp"
#include "cli/trace.hpp"
#include "proffer/formats/json_tree.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/study/workload_stats.hpp"

namespace proffer::cli {
namespace {

using formats::JsonNode;
using study::WorkloadStats;

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

JsonNode number(std::uint64_t value) { return JsonNode(static_cast<std::int64_t>(value)); }

void add_load(Table& table, const WorkloadStats& stats, const TraceOptions& options) {
  const auto add = [&](const char* kind, std::uint64_t slots, double work) {
    if (slots == 0) return;
    table.add({fmt::format("load on {} {} slots", slots, kind),
               percent(study::load_on(slots, work, stats.span()))});
  };
  add("map", options.map_slots, stats.map_seconds);
  add("reduce", options.reduce_slots, stats.reduce_seconds);
}

std::string sizes_text(const WorkloadStats& stats) {
  Table table({"MAPS A JOB", "AT MOST"});
  for (std::size_t i = 0; i < stats.maps_per_job.size(); ++i) {
    table.add({fmt::format("{}% of jobs", WorkloadStats::kPercentiles[i]),
               fmt::format("{}", stats.maps_per_job[i])});
  }
  return table.text();
}

std::string bins_text(const WorkloadStats& stats) {
  Table table({"BIN", "JOBS", "SHARE"});
  for (const auto& [name, jobs] : stats.bins) {
    const auto share = static_cast<double>(jobs) / static_cast<double>(stats.jobs);
    table.add({name, fmt::format("{}", jobs), percent(share)});
  }
  return table.text();
}

JsonNode load_json(const WorkloadStats& stats, const TraceOptions& options) {
  auto load = JsonNode::object();
  const auto add = [&](const char* kind, std::uint64_t slots, double work) {
    if (slots > 0) load.set(kind, JsonNode(study::load_on(slots, work, stats.span())));
  };
  add("map", options.map_slots, stats.map_seconds);
  add("reduce", options.reduce_slots, stats.reduce_seconds);
  return load;
}

}  // namespace

std::string stats_text(const study::Workload& workload, const TraceOptions& options) {
  const auto stats = study::workload_stats(workload);
  Table table({"WORKLOAD", options.source});
  table.add({"jobs", fmt::format("{}", stats.jobs)});
  table.add({"maps", fmt::format("{}", stats.maps)});
  table.add({"reduces", fmt::format("{}", stats.reduces)});
  table.add({"nodes", fmt::format("{}", stats.nodes)});
  table.add({"files", fmt::format("{}", stats.files)});
  table.add({"blocks", fmt::format("{}", stats.blocks)});
  table.add({"blocks with places", fmt::format("{}", stats.located_blocks)});
  table.add({"input", human_bytes(stats.input_bytes)});
  table.add({"map output", human_bytes(stats.map_output_bytes)});
  table.add({"reduce output", human_bytes(stats.reduce_output_bytes)});
  table.add({"first submit", fmt::format("{:.1f} s", stats.first_submit)});
  table.add({"last submit", fmt::format("{:.1f} s", stats.last_submit)});
  table.add({"map time", fmt::format("{:.1f} slot-hours", stats.map_seconds / 3600)});
  table.add({"reduce time", fmt::format("{:.1f} slot-hours", stats.reduce_seconds / 3600)});
  add_load(table, stats, options);
  return table.text() + "\n" + sizes_text(stats) + "\n" + bins_text(stats);
}

std::string stats_json(const study::Workload& workload, const TraceOptions& options) {
  const auto stats = study::workload_stats(workload);
  auto sizes = JsonNode::object();
  for (std::size_t i = 0; i < stats.maps_per_job.size(); ++i) {
    sizes.set(fmt::format("p{}", WorkloadStats::kPercentiles[i]), number(stats.maps_per_job[i]));
  }
  auto bins = JsonNode::array();
  for (const auto& [name, jobs] : stats.bins) {
    bins.items.push_back(JsonNode::object({{"bin", JsonNode(name)}, {"jobs", number(jobs)}}));
  }
  const auto json = JsonNode::object({{"source", JsonNode(options.source)},
                                      {"jobs", number(stats.jobs)},
                                      {"maps", number(stats.maps)},
                                      {"reduces", number(stats.reduces)},
                                      {"nodes", number(stats.nodes)},
                                      {"files", number(stats.files)},
                                      {"blocks", number(stats.blocks)},
                                      {"blocks_with_places", number(stats.located_blocks)},
                                      {"input_bytes", number(stats.input_bytes)},
                                      {"map_output_bytes", number(stats.map_output_bytes)},
                                      {"reduce_output_bytes", number(stats.reduce_output_bytes)},
                                      {"first_submit_s", JsonNode(stats.first_submit)},
                                      {"last_submit_s", JsonNode(stats.last_submit)},
                                      {"map_s", JsonNode(stats.map_seconds)},
                                      {"reduce_s", JsonNode(stats.reduce_seconds)},
                                      {"load", load_json(stats, options)},
                                      {"maps_per_job", std::move(sizes)},
                                      {"bins", std::move(bins)}});
  return dump_json(json) + "\n";
}

}  // namespace proffer::cli
