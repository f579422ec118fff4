#include "frameworks/mapreduce/input_plan.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "frameworks/mapreduce/store_path.hpp"
#include "proffer/frameworks/mapreduce.hpp"

namespace proffer::mapreduce {
namespace {

BlockRead read_of(const BlockInfo& block, const std::string& token) {
  return {block.block, block.length, block.first_record, token, block.replicas};
}

/// Blocks from `first` on that hold records which start in it.
std::vector<BlockRead> blocks_of(const FileInfo& file, std::size_t first, const std::string& token) {
  std::vector<BlockRead> blocks{read_of(file.blocks[first], token)};
  for (auto next = first + 1; next < file.blocks.size(); ++next) {
    const auto& block = file.blocks[next];
    if (block.first_record == 0) break;  // a record begins right there
    blocks.push_back(read_of(block, token));
    if (block.first_record < block.length) break;
  }
  return blocks;
}

Result<> check_replicas(const FileInfo& file, const std::vector<BlockRead>& blocks) {
  for (const auto& block : blocks) {
    if (block.replicas.empty()) {
      return Error{ErrorCode::unreachable, "no agent holds block " + std::to_string(block.block.value) +
                                               " of " + file.path + " at present"};
    }
  }
  return {};
}

}  // namespace

void add_files(const FilesListed& listed, std::string_view input, std::vector<FileInfo>& files) {
  const auto begin = files.size();
  for (const auto& file : listed.files) {
    if (is_hidden_below(input, file.path)) continue;
    if (files.size() > begin && files.back().path == file.path) {
      auto& whole = files.back().blocks;
      whole.insert(whole.end(), file.blocks.begin(), file.blocks.end());
    } else {
      files.push_back(file);
    }
  }
}

Result<> plan_maps(const std::vector<FileInfo>& files, const std::string& token,
                   std::vector<MapInput>& maps) {
  for (const auto& file : files) {
    for (std::size_t first = 0; first < file.blocks.size(); ++first) {
      const auto& block = file.blocks[first];
      if (block.first_record >= block.length) continue;  // the block only continues a record
      auto blocks = blocks_of(file, first, token);
      if (auto held = check_replicas(file, blocks); !held) return held;
      maps.push_back({file.path, std::move(blocks)});
    }
  }
  return {};
}

Result<> plan_cached(const FilesListed& listed, const std::string& path, const std::string& name,
                     std::vector<CachedFile>& cached) {
  CachedFile file{name, {}};
  const auto is_other = [&path](const FileInfo& part) { return part.path != path; };
  if (listed.files.empty() || std::any_of(listed.files.begin(), listed.files.end(), is_other)) {
    return Error{ErrorCode::invalid, path + " is a folder; name one file of it"};
  }
  for (const auto& part : listed.files) {  // a long one goes on in another entry
    for (const auto& block : part.blocks) file.blocks.push_back(read_of(block, listed.token));
    if (auto held = check_replicas(part, file.blocks); !held) return held;
  }
  cached.push_back(std::move(file));
  return {};
}

bool choose_blocks(const std::vector<std::uint32_t>& reads, std::vector<MapInput>& maps) {
  if (reads.empty()) return true;
  const auto is_missing = [&](std::uint32_t at) {
    return at >= maps.size() && at != SyntheticJob::kReadsNothing;
  };
  if (std::any_of(reads.begin(), reads.end(), is_missing)) return false;
  std::vector<MapInput> chosen;
  for (const auto at : reads) chosen.push_back(at == SyntheticJob::kReadsNothing ? MapInput{} : maps[at]);
  maps = std::move(chosen);
  return true;
}

std::vector<Replica> nearest_first(std::vector<Replica> replicas, const AgentInfo& reader,
                                   std::uint32_t turn) {
  const auto own = std::stable_partition(replicas.begin(), replicas.end(),
                                         [&](const Replica& replica) { return replica.agent == reader.id; });
  const auto near = std::stable_partition(
      own, replicas.end(), [&](const Replica& replica) { return replica.rack == reader.rack; });
  const auto turned = [turn](auto begin, auto end) {
    if (begin != end) std::rotate(begin, begin + turn % std::distance(begin, end), end);
  };
  turned(own, near);
  turned(near, replicas.end());
  return replicas;
}

}  // namespace proffer::mapreduce
