#include "study/generate/stages.hpp"

#include <algorithm>
#include <cmath>

namespace proffer::study {
namespace {

std::uint64_t up(std::uint64_t bytes, std::uint64_t each) { return (bytes + each - 1) / each; }

std::uint64_t times(double factor, std::uint64_t bytes) {
  return static_cast<std::uint64_t>(std::llround(factor * static_cast<double>(bytes)));
}

bool is_read(const Bin& bin, std::size_t number) {
  return std::any_of(bin.stages.begin(), bin.stages.end(), [number](const Stage& stage) {
    return std::find(stage.after.begin(), stage.after.end(), number) != stage.after.end();
  });
}

/// Blocks are evened out, so that a part has none that is nearly empty.
void divide(std::uint64_t written, std::uint64_t largest_block, StageSize& size) {
  size.part_bytes = std::max<std::uint64_t>(1, written / size.parts);
  size.part_blocks = up(size.part_bytes, largest_block);
  size.block_bytes = up(size.part_bytes, size.part_blocks);
}

/// Calls `visit` with the bytes of each block of a stage's output, in the order in which the store lists
/// them.
template <class Visit>
void each_block(const StageSize& size, Visit&& visit) {
  for (std::uint64_t part = 0; part < size.parts; ++part) {
    for (std::uint64_t block = 0; block < size.part_blocks; ++block) {
      visit(std::min(size.block_bytes, size.part_bytes - block * size.block_bytes));
    }
  }
}

}  // namespace

std::vector<StageSize> sizes_of(const GenerateSpec& spec, const Bin& bin) {
  std::vector<StageSize> sizes;
  for (std::size_t number = 0; number < bin.stages.size(); ++number) {
    const auto& stage = bin.stages[number];
    auto& size = sizes.emplace_back();
    size.maps = stage.maps;
    std::uint64_t read = stage.maps * spec.block_bytes;
    for (const auto former : stage.after) {
      size.maps += sizes[former].parts * sizes[former].part_blocks;
      read += sizes[former].parts * sizes[former].part_bytes;
    }
    size.parts = stage.reduces > 0 ? stage.reduces : size.maps;
    if (is_read(bin, number)) divide(times(stage.output, read), spec.block_bytes, size);
  }
  return sizes;
}

std::string stage_name(const std::string& graph, const Stage& stage) { return graph + "-" + stage.name; }

void make_stage(const GenerateSpec& spec, const Bin& bin, std::size_t number, const std::string& graph,
                WorkloadJob& job) {
  const auto sizes = sizes_of(spec, bin);
  WorkloadStage stage;
  stage.graph = graph;
  stage.block_bytes = sizes[number].block_bytes;
  auto map = job.maps.begin();
  for (const auto former : bin.stages[number].after) {
    stage.after.push_back(stage_name(graph, bin.stages[former]));
    each_block(sizes[former], [&](std::uint64_t bytes) {
      map->input_bytes = bytes;
      map->output_bytes = job.reduces.empty() ? 0 : times(spec.map_output, bytes);
      ++map;
    });
  }
  for (auto& task : job.reduces.empty() ? job.maps : job.reduces)
    task.output_bytes = sizes[number].part_bytes;
  job.stage = std::move(stage);
}

}  // namespace proffer::study
