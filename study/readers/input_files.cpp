#include "study/readers/input_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "proffer/limits.hpp"

namespace proffer::study {
namespace {

/// Tells a job which block each of its maps reads, and how much of it, where that is not all: the block in
/// which its part begins, also where the part goes on behind it.
void choose_reads(WorkloadJob& job, const std::vector<std::uint64_t>& parts,
                  const std::vector<std::uint64_t>& blocks) {
  std::uint64_t begin = 0;
  bool reads_all = parts.size() == blocks.size();
  for (std::size_t map = 0; map < parts.size(); ++map) {
    const auto at = begin / blocks.front();
    begin += parts[map];
    if (parts[map] < blocks[at]) job.maps[map].input_bytes = parts[map];
    job.reads.push_back(static_cast<std::uint32_t>(at));
    reads_all &= at == map;
  }
  if (reads_all) job.reads = {};
}

}  // namespace

std::vector<std::uint64_t> pieces_of(std::uint64_t total, std::uint64_t piece) {
  std::vector<std::uint64_t> pieces(count_pieces(total, piece), piece);
  if (total % piece != 0) pieces.back() = total % piece;
  return pieces;
}

void InputFiles::add_reader(TracePlace place, const Assembly& assembly, std::string path,
                            std::uint64_t bytes) {
  auto& read = file(path);
  read.readers.push_back({assembly.jobs().size() - 1, bytes});
  add_size(place, path, bytes);
}

void InputFiles::add_size(TracePlace place, const std::string& path, std::uint64_t bytes) {
  auto& sized = file(path);
  if (bytes <= sized.bytes) return;
  sized.bytes = bytes;
  sized.place = place;
}

Result<> InputFiles::add_to(Assembly& assembly) const {
  for (const auto& file : files_) {
    if (file.readers.empty()) continue;
    const auto blocks = blocks_of(assembly, file);
    if (!blocks) return blocks.error();
    std::vector<WorkloadBlock> made;
    made.reserve(blocks->size());
    for (const auto bytes : *blocks) made.push_back({bytes, {}});
    const auto index = assembly.add_file(file.path, std::move(made));
    const bool alike = are_alike(assembly, file);
    for (const auto& reader : file.readers) {
      auto& job = assembly.jobs()[reader.job];
      job.file = index;
      if (!alike) choose_reads(job, parts(assembly, reader), *blocks);
    }
  }
  return {};
}

InputFiles::File& InputFiles::file(const std::string& path) {
  const auto [at, is_new] = by_path_.try_emplace(path, files_.size());
  if (is_new) files_.push_back({path, 0, {}, {}});
  return files_[at->second];
}

std::vector<std::uint64_t> InputFiles::parts(const Assembly& assembly, const Reader& reader) const {
  return block_bytes_ ? pieces_of(reader.bytes, *block_bytes_)
                      : parts_of(reader.bytes, assembly.jobs()[reader.job].maps.size());
}

/// Whether all readers read all of it, in the same parts.
bool InputFiles::are_alike(const Assembly& assembly, const File& file) const {
  const auto maps = assembly.jobs()[file.readers.front().job].maps.size();
  return std::all_of(file.readers.begin(), file.readers.end(), [&](const Reader& reader) {
    return reader.bytes == file.bytes && assembly.jobs()[reader.job].maps.size() == maps;
  });
}

Result<std::vector<std::uint64_t>> InputFiles::blocks_of(const Assembly& assembly, const File& file) const {
  std::uint64_t block = 0;
  for (const auto& reader : file.readers) {
    const auto maps = assembly.jobs()[reader.job].maps.size();
    block = std::max(block, block_bytes_ ? *block_bytes_ : count_pieces(reader.bytes, maps));
  }
  const bool alike = are_alike(assembly, file);
  const auto& first = file.readers.front();
  const auto blocks = alike ? assembly.jobs()[first.job].maps.size() : count_pieces(file.bytes, block);
  if (blocks > limits::kBlocksPerFile) {
    return error_at(file.place, fmt::format("the file \"{}\" would have {} blocks of {} bytes; expected at "
                                            "most {}: use larger blocks, or fewer maps",
                                            file.path, blocks, block, limits::kBlocksPerFile));
  }
  if (block > limits::kBlockBytes) {
    return error_at(file.place, fmt::format("a map would read {} bytes of the file \"{}\"; expected at most "
                                            "{}: use more maps",
                                            block, file.path, limits::kBlockBytes));
  }
  return alike ? parts(assembly, first) : pieces_of(file.bytes, block);
}

}  // namespace proffer::study
