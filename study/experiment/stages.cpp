// stages = [ { maps = 40, reduces = 8 }, { reduces = 4 }, … ] of a bin
#include <algorithm>
#include <array>
#include <iterator>

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

std::span<const Setting<Stage>> stage_keys() {
  using S = Stage;
  static constexpr std::array kKeys{
      reading<S, formats::AsText<formats::Name>, [](auto& s) -> auto& { return s.name; }>("name"),
      elsewhere<S>("after"),
      reading<S, AsCount<1>, [](auto& s) -> auto& { return s.maps; }>("maps"),
      reading<S, AsCount<0>, [](auto& s) -> auto& { return s.reduces; }>("reduces"),
      reading<S, AsScale, [](auto& s) -> auto& { return s.output; }>("output"),
      reading<S, AsOptional<AsDistribution>, [](auto& s) -> auto& { return s.map_time; }>("map_time"),
      reading<S, AsOptional<AsDistribution>, [](auto& s) -> auto& { return s.reduce_time; }>("reduce_time"),
  };
  return kKeys;
}

/// Finds a stage that stands before; so no stage can wait for itself, by way of others either.
Result<std::uint32_t> find_stage(const std::string& name, std::string_view file, formats::Position at,
                                 const Bin& bin) {
  const auto found = std::ranges::find(bin.stages, name, &Stage::name);
  if (found != bin.stages.end()) return static_cast<std::uint32_t>(found - bin.stages.begin());
  std::vector<std::string_view> known;
  for (const auto& stage : bin.stages) known.push_back(stage.name);
  return error_at(file, at,
                  known.empty() ? "the first stage comes after no other"
                                : formats::unknown("stage before this one", name, known));
}

Result<> read_after(const TomlNode& table, std::string_view file, const Bin& bin, Stage& stage) {
  const auto* after = find_member(table, "after");
  if (stage.maps > 0) {
    if (after == nullptr) return {};
    return error_at(file, after->position,
                    "a stage with maps reads an input of its own; one that comes after others has a map for "
                    "each block that these write, so leave out maps");
  }
  if (after == nullptr) {
    if (bin.stages.empty()) return error_at(file, table.position, "the first stage needs maps");
    stage.after = {static_cast<std::uint32_t>(bin.stages.size() - 1)};
    return {};
  }
  std::vector<std::string> names;
  if (auto read = formats::AsTexts::read(*after, names); !read.empty() || names.empty()) {
    return error_at(file, after->position, "after must be a list of stages, such as [\"scan\"]");
  }
  for (const auto& name : names) {
    auto number = find_stage(name, file, after->position, bin);
    if (!number) return number.error();
    if (std::ranges::find(stage.after, *number) != stage.after.end()) {
      return error_at(file, after->position, "after names \"" + name + "\" twice");
    }
    stage.after.push_back(*number);
  }
  return {};
}

/// No framework would take a job with more reduces, nor the store a file of more blocks.
Result<> check_stage(const TomlNode& table, std::string_view file, const GenerateSpec& spec, const Bin& bin) {
  const auto& stage = bin.stages.back();
  if (stage.reduces > kMaxReduces) {
    return error_at(file, find_member(table, "reduces")->position,
                    "a job has at most " + std::to_string(kMaxReduces) + " reduces");
  }
  const auto maps = sizes_of(spec, bin).back().maps;
  if (maps <= limits::kBlocksPerFile) return {};
  return error_at(
      file, table.position,
      "a stage has at most " + std::to_string(limits::kBlocksPerFile) + " maps, not " + std::to_string(maps));
}

Result<> read_stage(const TomlNode& table, std::string_view file, const GenerateSpec& spec, Bin& bin) {
  Stage stage;
  stage.name = std::to_string(bin.stages.size() + 1);
  if (auto read = formats::read_settings(table, stage_keys(), "stages", file, stage); !read) return read;
  if (std::ranges::find(bin.stages, stage.name, &Stage::name) != bin.stages.end()) {
    return error_at(file, table.position, "two stages are named \"" + stage.name + "\"");
  }
  if (auto read = read_after(table, file, bin, stage); !read) return read;
  bin.stages.push_back(std::move(stage));
  return check_stage(table, file, spec, bin);
}

}  // namespace

Result<> read_stages(const TomlNode& list, std::string_view file, const GenerateSpec& spec, Bin& bin) {
  const auto tables = tables_of(&list, "stages", file);
  if (!tables) return tables.error();
  if (tables->empty()) return error_at(file, list.position, "stages must have at least one");
  for (const auto* table : *tables) {
    if (auto read = read_stage(*table, file, spec, bin); !read) return read;
  }
  return {};
}

}  // namespace proffer::study
