#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "proffer/formats/nearest.hpp"
#include "proffer/limits.hpp"
#include "study/experiment/scenario.hpp"
#include "study/experiment/values.hpp"
#include "study/experiment/workload_parts.hpp"

namespace proffer::study {
namespace {

using formats::AsBytes;
using formats::AsDuration;
using formats::AsText;
using formats::error_at;
using formats::Setting;

constexpr std::array<std::string_view, 3> kInputs{"own", "shared", "none"};
using AsInput = AsChoice<GenerateSpec::Input, kInputs>;

/// The keys that both kinds of workload have.
std::span<const Setting<WorkloadSection>> workload_keys() {
  using S = WorkloadSection;
  static constexpr std::array kKeys{
      reading<S, AsText<formats::Name>, [](auto& s) -> auto& { return s.spec.name; }>("name"),
      reading<S, formats::AsTexts, [](auto& s) -> auto& { return s.frameworks; }>("frameworks"),
      reading<S, AsDuration, [](auto& s) -> auto& { return s.spec.start; }>("start"),
      elsewhere<S>("arrivals"),
      elsewhere<S>("dataset"),
      elsewhere<S>("popularity"),
      elsewhere<S>("bins"),
      reading<S, AsDistribution, [](auto& s) -> auto& { return s.spec.map_time; }>("map_time"),
      reading<S, AsDistribution, [](auto& s) -> auto& { return s.spec.reduce_time; }>("reduce_time"),
      reading<S, AsDistribution, [](auto& s) -> auto& { return s.spec.setup; }>("setup"),
      reading<S, AsDistribution, [](auto& s) -> auto& { return s.spec.cleanup; }>("cleanup"),
      reading<S, AsInput, [](auto& s) -> auto& { return s.spec.input; }>("input"),
      reading<S, formats::AsTexts, [](auto& s) -> auto& { return s.spec.input_nodes; }>("input_nodes"),
      reading<S, AsRatio, [](auto& s) -> auto& { return s.spec.map_output; }>("map_output"),
      reading<S, AsBytes, [](auto& s) -> auto& { return s.spec.block_bytes; }>("block_size"),
      reading<S, AsBytes, [](auto& s) -> auto& { return s.spec.cached_bytes; }>("cached"),
      reading<S, AsText<formats::NameOrEmpty>, [](auto& s) -> auto& { return s.spec.pool; }>("pool"),
      reading<S, formats::AsTexts, [](auto& s) -> auto& { return s.pools; }>("pools"),
      reading<S, formats::AsTexts, [](auto& s) -> auto& { return s.users; }>("users"),
      reading<S, AsText<formats::Short>, [](auto& s) -> auto& { return s.spec.user; }>("user"),
      reading<S, AsBoolean, [](auto& s) -> auto& { return s.spec.own_users; }>("own_users"),
      reading<S, AsChoice<Priority, kPriorities>, [](auto& s) -> auto& { return s.spec.priority; }>(
          "priority"),
      reading<S, AsBoolean, [](auto& s) -> auto& { return s.spec.rigid; }>("rigid"),
      reading<S, formats::AsNeed, [](auto& s) -> auto& { return s.need; }>("need"),
      reading<S, AsOptional<AsTrace>, [](auto& s) -> auto& { return s.trace; }>("trace"),
      elsewhere<S>("topology"),
      elsewhere<S>("scale"),
      reading<S, AsBytes, [](auto& s) -> auto& { return s.trace_settings.reduce_bytes; }>("reduce_size"),
  };
  return kKeys;
}

std::span<const Setting<TraceScale>> scale_keys() {
  using S = TraceScale;
  static constexpr std::array kKeys{
      reading<S, AsScale, [](auto& s) -> auto& { return s.jobs; }>("jobs"),
      reading<S, AsScale, [](auto& s) -> auto& { return s.arrival; }>("arrival"),
  };
  return kKeys;
}

std::span<const Setting<Dataset>> dataset_keys() {
  using S = Dataset;
  static constexpr std::array kKeys{
      reading<S, formats::AsCount<1>, [](auto& s) -> auto& { return s.blocks; }>("blocks"),
      reading<S, formats::AsPart, [](auto& s) -> auto& { return s.hot_milli; }>("hot"),
      reading<S, formats::AsPart, [](auto& s) -> auto& { return s.hot_reads_milli; }>("hot_reads"),
  };
  return kKeys;
}

std::span<const Setting<Popularity>> popularity_keys() {
  using S = Popularity;
  static constexpr std::array kKeys{
      reading<S, formats::AsCount<1>, [](auto& s) -> auto& { return s.files; }>("files"),
      reading<S, AsRatio, [](auto& s) -> auto& { return s.exponent; }>("exponent"),
  };
  return kKeys;
}

Result<> read_popularity(const TomlNode& table, std::string_view file, WorkloadSection& workload) {
  const auto* node = find_member(table, "popularity");
  if (node == nullptr) return {};
  for (const auto* other : {"input", "dataset"}) {
    const auto* input = find_member(table, other);
    if (input == nullptr) continue;
    return error_at(file, input->position, fmt::format("popularity says what is read; leave out {}", other));
  }
  if (node->type != TomlType::table || find_member(*node, "files") == nullptr) {
    return error_at(file, node->position,
                    "write how many files there are: popularity = { files = 800, exponent = 1.1 }");
  }
  workload.spec.popularity.emplace();
  auto read = formats::read_settings(*node, popularity_keys(), "popularity", file, *workload.spec.popularity);
  if (!read || workload.spec.popularity->files <= limits::kFiles) return read;
  return error_at(file, node->position, fmt::format("the store has at most {} files", limits::kFiles));
}

Result<> read_dataset(const TomlNode& table, std::string_view file, WorkloadSection& workload) {
  const auto* node = find_member(table, "dataset");
  if (node == nullptr) return {};
  if (const auto* input = find_member(table, "input")) {
    return error_at(file, input->position, "a dataset is the input; leave out input");
  }
  if (node->type != TomlType::table || find_member(*node, "blocks") == nullptr) {
    return error_at(file, node->position,
                    "write how large it is: dataset = { blocks = 800, hot = 0.1, hot_reads = 0.9 }");
  }
  workload.spec.dataset.emplace();
  if (auto read = formats::read_settings(*node, dataset_keys(), "dataset", file, *workload.spec.dataset);
      !read)
    return read;
  if (workload.spec.dataset->blocks <= limits::kBlocksPerFile) return {};
  return error_at(file, node->position, fmt::format("a file has at most {} blocks", limits::kBlocksPerFile));
}

/// A trace has work of its own, and bins have no use for what is said of traces.
Result<> check_kind(const TomlNode& table, std::string_view file, bool is_trace) {
  if (!is_trace && find_member(table, "bins") == nullptr) {
    return error_at(file, table.position, "a [[workload]] needs bins or a trace");
  }
  constexpr std::array<std::string_view, 15> kOfBins{
      "popularity", "bins", "arrivals",  "setup",    "cleanup", "input",  "input_nodes", "start",
      "map_output", "user", "own_users", "priority", "dataset", "cached", "rigid"};
  constexpr std::array<std::string_view, 3> kOfTraces{"topology", "scale", "reduce_size"};
  for (const auto& [key, value] : table.members) {
    if (is_trace && std::find(kOfBins.begin(), kOfBins.end(), key.name) != kOfBins.end()) {
      return error_at(file, key.position, fmt::format("{} is not for a workload that is a trace", key.name));
    }
    if (!is_trace && std::find(kOfTraces.begin(), kOfTraces.end(), key.name) != kOfTraces.end()) {
      return error_at(file, key.position, fmt::format("{} is only for a workload that is a trace", key.name));
    }
  }
  return {};
}

Result<> read_trace_parts(const TomlNode& table, std::string_view file, WorkloadSection& workload) {
  if (const auto* topology = find_member(table, "topology")) {
    if (topology->type != TomlType::string || workload.trace->format != TraceFormat::rumen) {
      return error_at(file, topology->position, "topology is a file, and only for a trace of rumen");
    }
    workload.trace->topology = topology->text;
  }
  auto& settings = workload.trace_settings;
  settings.block_bytes = workload.spec.block_bytes;
  settings.map_time = workload.spec.map_time;
  settings.reduce_time = workload.spec.reduce_time;
  const auto* scale = find_member(table, "scale");
  if (scale == nullptr) return {};
  return formats::read_settings(*scale, scale_keys(), "scale", file, settings.scale);
}

Result<> check_input_nodes(const TomlNode& table, std::string_view file, const ClusterSection& cluster,
                           const GenerateSpec& spec) {
  const auto* nodes = find_member(table, "input_nodes");
  if (nodes == nullptr) return {};
  if (spec.input == GenerateSpec::Input::none) {
    return error_at(file, nodes->position, "input_nodes is of no use where input = \"none\"");
  }
  if (spec.input_nodes.empty()) return error_at(file, nodes->position, "input_nodes must name a node");
  std::set<std::string> seen;
  for (const auto& node : spec.input_nodes) {
    if (auto known = check_node(cluster, node, file, nodes->position); !known) return known;
    if (seen.insert(node).second) continue;
    return error_at(file, nodes->position, fmt::format("input_nodes names \"{}\" twice", node));
  }
  return {};
}

Result<> check_cached(const TomlNode& table, std::string_view file, const GenerateSpec& spec) {
  const auto* cached = find_member(table, "cached");
  if (cached == nullptr || spec.cached_bytes / spec.block_bytes < limits::kBlocksPerFile) return {};
  return error_at(
      file, cached->position,
      fmt::format("a file has at most {} blocks; let block_size be larger", limits::kBlocksPerFile));
}

/// Stages begin when those before them end, whatever comes between jobs elsewhere.
Result<> check_graphs(const TomlNode& table, std::string_view file, const GenerateSpec& spec) {
  const auto has_stages = [](const Bin& bin) { return !bin.stages.empty(); };
  if (std::none_of(spec.bins.begin(), spec.bins.end(), has_stages)) return {};
  for (const auto* key : {"setup", "cleanup"}) {
    const auto* of_job = find_member(table, key);
    if (of_job == nullptr) continue;
    return error_at(file, of_job->position, fmt::format("jobs with stages have no {}", key));
  }
  if (spec.arrivals.process != Arrivals::Process::serial) return {};
  return error_at(file, find_member(table, "arrivals")->position,
                  "jobs with stages cannot be serial: a graph is no job that another could wait for");
}

/// Jobs of a pool that there is not would be in none.
Result<> check_job_pool(const TomlNode& table, std::string_view file, const Scenario& scenario,
                        const WorkloadSection& workload) {
  auto wanted = workload.pools;
  if (!workload.spec.pool.empty()) wanted.push_back(workload.spec.pool);
  if (wanted.empty()) return {};
  for (const auto& framework : scenario.frameworks) {
    const auto names = framework.names();
    const auto serves = [&](const std::string& name) {
      return std::find(workload.frameworks.begin(), workload.frameworks.end(), name) !=
             workload.frameworks.end();
    };
    const auto& pools = framework.each.sharing.pools;
    if (pools.empty() || !std::any_of(names.begin(), names.end(), serves)) continue;
    std::vector<std::string_view> known;
    for (const auto& one : pools) known.push_back(one.name);
    for (const auto& pool : wanted) {
      if (std::find(known.begin(), known.end(), pool) != known.end()) continue;
      const auto* where = find_member(table, workload.pools.empty() ? "pool" : "pools");
      return error_at(file, where->position, formats::unknown("pool", pool, known));
    }
  }
  return {};
}

Result<> read_synthetic_parts(const TomlNode& table, std::string_view file, const ClusterSection& cluster,
                              WorkloadSection& workload) {
  if (auto read = read_bins(*find_member(table, "bins"), file, workload); !read) return read;
  if (auto read = read_dataset(table, file, workload); !read) return read;
  if (auto read = read_popularity(table, file, workload); !read) return read;
  if (auto checked = check_input_nodes(table, file, cluster, workload.spec); !checked) return checked;
  if (auto checked = check_cached(table, file, workload.spec); !checked) return checked;
  const auto* arrivals = find_member(table, "arrivals");
  if (arrivals != nullptr) {
    if (auto read = read_arrivals(*arrivals, file, workload); !read) return read;
  }
  return check_graphs(table, file, workload.spec);
}

/// "hadoop" stands for hadoop-0, hadoop-1, …; no name at all for every framework.
Result<> find_frameworks(const TomlNode& table, std::string_view file, const Scenario& scenario,
                         WorkloadSection& workload) {
  std::vector<std::string> all;
  std::vector<std::string> known;
  std::vector<std::string> chosen;
  for (const auto& framework : scenario.frameworks) {
    for (auto& name : framework.names()) all.push_back(std::move(name));
    known.push_back(framework.each.name);
  }
  for (const auto& wanted : workload.frameworks) {
    const auto before = chosen.size();
    for (const auto& framework : scenario.frameworks) {
      for (auto& name : framework.names()) {
        if (wanted == name || wanted == framework.each.name) chosen.push_back(std::move(name));
      }
    }
    if (chosen.size() > before) continue;
    return error_at(file, find_member(table, "frameworks")->position,
                    formats::unknown("framework", wanted, {known.begin(), known.end()}));
  }
  workload.frameworks = chosen.empty() ? all : chosen;
  return {};
}

bool has_reduce_slots(const Scenario& scenario) {
  const Kind reduce("reduce");
  const auto& listed = scenario.cluster.listed;
  return scenario.cluster.slots[reduce] > 0 ||
         std::any_of(listed.begin(), listed.end(),
                     [&](const PlanNode& node) { return node.slots[reduce] > 0; });
}

Result<> check_reduces(const TomlNode& table, std::string_view file, const Scenario& scenario,
                       const WorkloadSection& workload) {
  const auto& bins = workload.spec.bins;
  const bool needs = std::any_of(bins.begin(), bins.end(), [](const Bin& bin) {
    return bin.reduces > 0 || std::ranges::any_of(bin.stages, [](const Stage& s) { return s.reduces > 0; });
  });
  if (!needs || has_reduce_slots(scenario)) return {};
  return error_at(file, find_member(table, "bins")->position,
                  "these jobs have reduces, but no node of the cluster has a reduce slot");
}

Result<WorkloadSection> read_workload(const TomlNode& table, std::string_view file, const Scenario& scenario,
                                      std::string name) {
  WorkloadSection workload;
  workload.position = table.position;
  workload.spec.name = std::move(name);
  workload.spec.block_bytes = scenario.store.block_bytes;
  auto read = formats::read_settings(table, workload_keys(), "[[workload]]", file, workload);
  if (!read) return read.error();
  if (auto checked = check_kind(table, file, workload.trace.has_value()); !checked) return checked.error();
  auto parts = workload.trace ? read_trace_parts(table, file, workload)
                              : read_synthetic_parts(table, file, scenario.cluster, workload);
  if (!parts) return parts.error();
  if (auto found = find_frameworks(table, file, scenario, workload); !found) return found.error();
  if (auto checked = check_reduces(table, file, scenario, workload); !checked) return checked.error();
  if (auto checked = check_job_pool(table, file, scenario, workload); !checked) return checked.error();
  return workload;
}

}  // namespace

Result<> read_workloads(const TomlNode* list, std::string_view file, Scenario& scenario) {
  const auto tables = tables_of(list, "[[workload]]", file);
  if (!tables) return tables.error();
  if (tables->empty()) return error_at(file, {1, 1}, "there is no [[workload]]");
  std::set<std::string> names;
  for (std::size_t i = 0; i < tables->size(); ++i) {
    const auto& table = *(*tables)[i];
    auto workload =
        read_workload(table, file, scenario, tables->size() == 1 ? "job" : fmt::format("w{}", i + 1));
    if (!workload) return workload.error();
    if (!names.insert(workload->spec.name).second) {
      return error_at(file, table.position,
                      fmt::format("two workloads are named \"{}\"", workload->spec.name));
    }
    scenario.workloads.push_back(std::move(*workload));
  }
  return {};
}

}  // namespace proffer::study
