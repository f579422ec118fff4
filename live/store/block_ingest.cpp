#include "live/store/block_ingest.hpp"

#include <cerrno>
#include <filesystem>
#include <vector>

#include "live/os/io_error.hpp"
#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

constexpr std::size_t kOpenParts = 256;
constexpr Duration kWriterSilent = std::chrono::seconds(60);

std::string name_of(BlockId block) { return "block " + std::to_string(block.value); }

}  // namespace

Result<std::optional<std::uint64_t>> BlockIngest::take(PeerId writer, const Store& store, Time now) {
  const auto held = parts_.find(store.block);
  if (held != parts_.end() && held->second.writer != writer) {
    return Error{ErrorCode::exists, name_of(store.block) + " is being stored by another writer"};
  }
  if (store.offset == 0) {
    if (auto begun = begin(writer, store); !begun) return begun.error();
  }
  const auto part = parts_.find(store.block);
  if (part == parts_.end()) {
    return Error{ErrorCode::invalid, name_of(store.block) + " must be stored from its beginning"};
  }
  part->second.touched = now;
  if (auto appended = append(part->second, store); !appended) {
    abandon(store.block);
    return appended.error();
  }
  if (!store.last) return std::optional<std::uint64_t>();
  const auto length = finish(part->second, store);
  abandon(store.block);
  if (!length) return length.error();
  return std::optional(*length);
}

Result<> BlockIngest::begin(PeerId writer, const Store& store) {
  abandon(store.block);
  if (parts_.size() >= kOpenParts)
    return Error{ErrorCode::slow_down, "too many blocks are being stored here"};
  std::error_code ignored;
  if (std::filesystem::exists(folders_.block(store.block), ignored)) {
    return Error{ErrorCode::exists, name_of(store.block) + " is stored here already"};
  }
  auto file = OpenFile::to_create(folders_.part(store.block));
  if (!file) return file.error();
  parts_.emplace(store.block, Part{.writer = writer, .file = std::move(*file), .crc = {}});
  return {};
}

Result<> BlockIngest::append(Part& part, const Store& store) {
  if (store.offset != part.length) {
    return Error{ErrorCode::invalid, name_of(store.block) + " has a gap at " + std::to_string(part.length)};
  }
  if (store.bytes.size() > limits::kChunkBytes || part.length + store.bytes.size() > limits::kBlockBytes) {
    return Error{ErrorCode::invalid,
                 name_of(store.block) + " is longer than a block, or a piece of one, can be"};
  }
  if (auto written = part.file.write(store.bytes); !written) return written.error();
  part.crc.add(store.bytes);
  part.length += store.bytes.size();
  return {};
}

Result<std::uint64_t> BlockIngest::finish(const Part& part, const Store& store) {
  if (part.length == 0) return Error{ErrorCode::invalid, name_of(store.block) + " is empty"};
  if (part.crc.value() != store.crc32) {
    return Error{ErrorCode::corrupt, name_of(store.block) + " does not have the checksum its writer gave"};
  }
  std::error_code error;
  std::filesystem::rename(folders_.part(store.block), folders_.block(store.block), error);
  if (error) return file_error("cannot store " + name_of(store.block), error.value());
  return part.length;
}

void BlockIngest::abandon(BlockId block) {
  std::error_code ignored;
  if (parts_.erase(block) != 0) std::filesystem::remove(folders_.part(block), ignored);
}

void BlockIngest::forget(PeerId writer) {
  std::vector<BlockId> theirs;
  for (const auto& [block, part] : parts_) {
    if (part.writer == writer) theirs.push_back(block);
  }
  for (const auto block : theirs) abandon(block);
}

void BlockIngest::expire(Time now) {
  std::vector<BlockId> stale;
  for (const auto& [block, part] : parts_) {
    if (now - part.touched > kWriterSilent) stale.push_back(block);
  }
  for (const auto block : stale) abandon(block);
}

}  // namespace proffer::live
