// bins = [ { maps = 50, jobs = 8 }, … ]
#include <array>

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/limits.hpp"
#include "study/experiment/values.hpp"
#include "study/experiment/workload_parts.hpp"
#include "study/generate/stages.hpp"

namespace proffer::study {
namespace {

using formats::AsCount;
using formats::error_at;
using formats::Setting;

constexpr std::uint64_t kMostTasks = 20'000'000;

std::span<const Setting<Bin>> bin_keys() {
  using S = Bin;
  static constexpr std::array kKeys{
      reading<S, formats::AsText<formats::Name>, [](auto& s) -> auto& { return s.name; }>("name"),
      reading<S, AsCount<1>, [](auto& s) -> auto& { return s.maps; }>("maps"),
      reading<S, AsCount<0>, [](auto& s) -> auto& { return s.reduces; }>("reduces"),
      reading<S, AsCount<1>, [](auto& s) -> auto& { return s.jobs; }>("jobs"),
      reading<S, AsOptional<AsDistribution>, [](auto& s) -> auto& { return s.map_time; }>("map_time"),
      reading<S, AsOptional<AsDistribution>, [](auto& s) -> auto& { return s.reduce_time; }>("reduce_time"),
      reading<S, AsOptional<AsDistribution>, [](auto& s) -> auto& { return s.deadline; }>("deadline"),
      elsewhere<S>("stages"),
  };
  return kKeys;
}

Result<> read_graph(const TomlNode& table, const TomlNode& stages, std::string_view file,
                    const GenerateSpec& spec, Bin& bin) {
  for (const auto* key : {"maps", "reduces", "map_time", "reduce_time"}) {
    const auto* of_job = find_member(table, key);
    if (of_job == nullptr) continue;
    return error_at(file, of_job->position, fmt::format("{} is for each of the stages to say", key));
  }
  if (bin.name.empty()) return error_at(file, table.position, "a bin with stages needs a name");
  return read_stages(stages, file, spec, bin);
}

std::uint64_t tasks_of(const GenerateSpec& spec, const Bin& bin) {
  if (bin.stages.empty()) return std::uint64_t{bin.maps} + bin.reduces;
  std::uint64_t tasks = 0;
  for (const auto& size : sizes_of(spec, bin)) tasks += size.maps;
  for (const auto& stage : bin.stages) tasks += stage.reduces;
  return tasks;
}

/// No framework would take a job with more reduces, nor the store a file of more blocks.
Result<> check_size(const TomlNode& table, std::string_view file, const GenerateSpec& spec, const Bin& bin) {
  if (bin.reduces > kMaxReduces) {
    return error_at(file, find_member(table, "reduces")->position,
                    fmt::format("a job has at most {} reduces", kMaxReduces));
  }
  const bool reads = spec.input != GenerateSpec::Input::none;
  if (!reads || bin.maps <= limits::kBlocksPerFile) return {};
  return error_at(file, find_member(table, "maps")->position,
                  fmt::format("a job has at most {0} maps, since a file has at most {0} blocks; more only "
                              "with input = \"none\"",
                              limits::kBlocksPerFile));
}

}  // namespace

Result<> read_bins(const TomlNode& list, std::string_view file, WorkloadSection& workload) {
  const auto tables = tables_of(&list, "bins", file);
  if (!tables) return tables.error();
  std::uint64_t tasks = 0;
  for (const auto* table : *tables) {
    Bin bin;
    if (auto read = formats::read_settings(*table, bin_keys(), "bins", file, bin); !read) return read;
    if (const auto* stages = find_member(*table, "stages")) {
      if (auto graph = read_graph(*table, *stages, file, workload.spec, bin); !graph) return graph;
    } else if (find_member(*table, "maps") == nullptr) {
      return error_at(file, table->position, "a bin needs maps, or stages");
    }
    if (auto checked = check_size(*table, file, workload.spec, bin); !checked) return checked;
    // Neither product nor sum can wrap: what a job has is far below 2^33, and it stops past the most.
    const auto of_job = tasks_of(workload.spec, bin);
    tasks = of_job > kMostTasks || bin.jobs > kMostTasks ? kMostTasks + 1 : tasks + of_job * bin.jobs;
    if (tasks > kMostTasks) {
      return error_at(file, table->position, fmt::format("the bins have more than {} tasks", kMostTasks));
    }
    workload.spec.bins.push_back(std::move(bin));
  }
  if (workload.spec.bins.empty()) return error_at(file, list.position, "bins must have at least one");
  return {};
}

}  // namespace proffer::study
