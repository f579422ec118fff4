#include "catalog/tables/name_table.hpp"

#include <algorithm>

#include "catalog/tables/paths.hpp"
#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer::catalog {
namespace {

// One durable change per so many blocks instead of one each; a restart loses at most this many ids.
constexpr std::uint64_t kIdsAhead = 256;

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

NameTable::NameTable(std::vector<FileInfo> files, BlockId next_block)
    : next_{std::max(next_block, BlockId{1})}, reserved_{next_} {
  for (auto& info : files) {
    for (const auto& block : info.blocks) {
      const bool fresh = owned_.emplace(block.block, block.length).second;
      PROFFER_CHECK(fresh, "a block belongs to two files");
    }
    File file{info.replication, info.complete, info.length, std::move(info.blocks), {}};
    const bool fresh = files_.emplace(std::move(info.path), std::move(file)).second;
    PROFFER_CHECK(fresh, "a file was persisted twice");
  }
  check_invariants();
}

const NameTable::File* NameTable::find(const std::string& path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : &found->second;
}

NameTable::File& NameTable::must_find(const std::string& path) {
  const auto found = files_.find(path);
  PROFFER_CHECK(found != files_.end(), "no such file");
  return found->second;
}

bool NameTable::is_folder(const std::string& path) const {
  if (path == "/") return true;
  const auto prefix = folder_prefix(path);
  const auto next = files_.lower_bound(prefix);
  return next != files_.end() && starts_with(next->first, prefix);
}

std::optional<std::string> NameTable::file_above(const std::string& path) const {
  for (auto& folder : folders_of(path)) {
    if (find(folder)) return folder;
  }
  return {};
}

NameTable::Range NameTable::at_or_below(const std::string& path) const {
  if (const auto file = files_.find(path); file != files_.end()) return {file, std::next(file)};
  const auto prefix = folder_prefix(path);
  const auto first = files_.lower_bound(prefix);
  auto past = first;
  while (past != files_.end() && starts_with(past->first, prefix)) ++past;
  return {first, past};
}

FileInfo NameTable::info(const std::string& path) const {
  const auto* file = find(path);
  PROFFER_CHECK(file, "no such file");
  return {path, file->length, file->replication, file->complete, file->blocks};
}

bool NameTable::wants(BlockId block, std::uint64_t length) const {
  const auto found = owned_.find(block);
  return found != owned_.end() && (found->second == 0 || found->second == length);
}

std::uint64_t NameTable::sealed_length(BlockId block) const {
  const auto found = owned_.find(block);
  return found == owned_.end() ? 0 : found->second;
}

bool NameTable::gave_out(BlockId block) const { return block < next_ && !avoided_.contains(block); }

void NameTable::avoid(BlockId block) {
  PROFFER_CHECK(!gave_out(block), "an id that was given out cannot be avoided");
  if (avoided_.size() < limits::kReplicasPerAgent) avoided_.insert(block);
}

std::optional<BlockId> NameTable::reserve_ids() {
  while (avoided_.contains(next_)) ++next_.value;
  if (next_ < reserved_) return {};
  reserved_ = BlockId{next_.value + kIdsAhead};
  return reserved_;
}

void NameTable::create(const std::string& path, std::uint32_t replication) {
  PROFFER_CHECK(!is_folder(path) && !file_above(path), "a file and a folder of one name");
  const bool fresh = files_.emplace(path, File{replication, false, 0, {}, {}}).second;
  PROFFER_CHECK(fresh, "the file exists");
}

BlockId NameTable::begin_block(const std::string& path) {
  auto& file = must_find(path);
  PROFFER_CHECK(!file.complete && !file.pending, "the file takes no new block now");
  PROFFER_CHECK(next_ < reserved_ && !avoided_.contains(next_), "reserve_ids comes first");
  const BlockId block = next_;
  ++next_.value;
  owned_.emplace(block, 0);
  file.pending = block;
  return block;
}

std::optional<BlockId> NameTable::abandon_block(const std::string& path) {
  auto& file = must_find(path);
  if (file.pending) owned_.erase(*file.pending);
  return std::exchange(file.pending, std::nullopt);
}

void NameTable::seal_block(const std::string& path, std::uint64_t length, std::uint64_t first_record) {
  auto& file = must_find(path);
  PROFFER_CHECK(file.pending && length > 0, "nothing to seal");
  owned_[*file.pending] = length;
  file.blocks.push_back({*file.pending, length, first_record, {}});
  file.length += length;
  file.pending.reset();
}

void NameTable::complete(const std::string& path) {
  auto& file = must_find(path);
  PROFFER_CHECK(!file.pending, "a block is still pending");
  file.complete = true;
}

void NameTable::rename(const std::string& from, const std::string& to) {
  auto node = files_.extract(from);
  PROFFER_CHECK(!node.empty(), "no such file");
  node.key() = to;
  PROFFER_CHECK(files_.insert(std::move(node)).inserted, "the new name is taken");
}

std::vector<BlockId> NameTable::remove(const std::string& path) {
  std::vector<BlockId> freed;
  if (const auto pending = abandon_block(path)) freed.push_back(*pending);
  for (const auto& block : must_find(path).blocks) {
    owned_.erase(block.block);
    freed.push_back(block.block);
  }
  files_.erase(path);
  return freed;
}

void NameTable::check_invariants() const {
  std::size_t blocks = 0;
  for (const auto& [path, file] : files_) {
    PROFFER_CHECK(!file_above(path), "a file lies below a file");
    std::uint64_t length = 0;
    for (const auto& block : file.blocks) {
      const auto owned = owned_.find(block.block);
      PROFFER_CHECK(owned != owned_.end() && owned->second == block.length && block.length > 0,
                    "a block's length is not its file's");
      PROFFER_CHECK(block.first_record <= block.length, "a record starts past the end of its block");
      length += block.length;
    }
    PROFFER_CHECK(length == file.length, "a file is not as long as its blocks");
    PROFFER_CHECK(!file.complete || !file.pending, "a complete file has a pending block");
    if (file.pending) PROFFER_CHECK(owned_.contains(*file.pending), "a pending block is nobody's");
    blocks += file.blocks.size() + (file.pending ? 1 : 0);
  }
  PROFFER_CHECK(blocks == owned_.size(), "a block belongs to no file");
  PROFFER_CHECK(owned_.empty() || owned_.rbegin()->first < next_, "a block's id was not given out");
}

}  // namespace proffer::catalog
