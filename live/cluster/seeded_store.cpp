#include "live/cluster/seeded_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "live/os/descriptor.hpp"
#include "live/os/io_error.hpp"
#include "live/store/data_folders.hpp"
#include "live/store/name_store.hpp"

namespace proffer::live {
namespace {

namespace fs = std::filesystem;

Result<std::string> folder_at(const fs::path& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed) return Error{ErrorCode::io, "cannot make " + path.string() + ": " + failed.message()};
  return path.string();
}

/// Writes a block as a hole of that length.
Result<> write_block(const std::string& path, std::uint64_t bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (file.open() && ::ftruncate(file.get(), static_cast<off_t>(bytes)) == 0) return {};
  return os_error(ErrorCode::io, "cannot write " + path);
}

/// Writes the catalog's names. Blocks are numbered from 1, file by file.
Result<> write_names(const LocalClusterConfig& config) {
  const auto folder = folder_at(fs::path(config.dir) / "catalog");
  if (!folder) return folder.error();
  const auto names = NameStore::open(*folder + "/" + kNamesFile);
  if (!names) return names.error();
  if (!(*names)->files().empty()) return Error{ErrorCode::exists, *folder + " knows of files already"};
  std::uint64_t next = 1;
  for (const auto& file : config.files) {
    FileInfo info{.path = file.path, .replication = file.replication, .complete = true, .blocks = {}};
    for (const auto& block : file.blocks) {
      info.blocks.push_back({BlockId{next++}, block.bytes, 0, {}});
      info.length += block.bytes;
    }
    if (auto taken = (*names)->apply(PersistFile{std::move(info)}); !taken) return taken;
  }
  if (auto taken = (*names)->apply(PersistNextBlock{BlockId{next}}); !taken) return taken;
  return (*names)->commit();
}

}  // namespace

std::map<std::uint32_t, std::vector<SeededBlock>> blocks_by_agent(const std::vector<StoredFile>& files) {
  std::map<std::uint32_t, std::vector<SeededBlock>> all;
  std::uint64_t next = 1;
  for (const auto& file : files) {
    for (const auto& block : file.blocks) {
      const BlockId id{next++};
      for (const auto agent : block.agents) all[agent].push_back({id, block.bytes});
    }
  }
  return all;
}

Result<> write_blocks(const std::string& agent_dir, const std::vector<SeededBlock>& blocks) {
  const auto folder = folder_at(fs::path(agent_dir) / kBlocksFolder);
  if (!folder) return folder.error();
  const DataFolders folders(*folder, "");
  for (const auto& block : blocks) {
    if (auto written = write_block(folders.block(block.id), block.bytes); !written) return written;
  }
  return {};
}

Result<> seed_store(const LocalClusterConfig& config) {
  if (config.files.empty()) return {};
  if (auto written = write_names(config); !written) return written;
  for (const auto& [agent, blocks] : blocks_by_agent(config.files)) {
    if (agent >= config.agents.size()) continue;
    auto written = write_blocks(config.dir + "/" + config.agents[agent].name, blocks);
    if (!written) return written;
  }
  return {};
}

}  // namespace proffer::live
