#include "sim/storm/disk.hpp"

#include <algorithm>

namespace proffer::sim::storm {
namespace {

/// As many changes as fit into the room that daemons set aside.
constexpr int kReserve = 4000;

bool keeps(const Action& action) {
  return std::holds_alternative<KeepRecord>(action) || std::holds_alternative<DropRecord>(action) ||
         std::holds_alternative<Persist>(action) || std::holds_alternative<KeepPools>(action);
}

void apply(Image& image, const Persist& change) {
  if (const auto* file = std::get_if<PersistFile>(&change)) {
    image.files[file->file.path] = file->file;
  } else if (const auto* forgotten = std::get_if<ForgetFile>(&change)) {
    image.files.erase(forgotten->path);
  } else if (const auto* next = std::get_if<PersistNextBlock>(&change)) {
    image.next_block = next->next;
  }
}

void apply(Image& image, const Action& action) {
  if (const auto* kept = std::get_if<KeepRecord>(&action)) {
    image.records.insert_or_assign(key_of(kept->record), kept->record);
  } else if (const auto* dropped = std::get_if<DropRecord>(&action)) {
    image.records.erase(dropped->key);
  } else if (const auto* change = std::get_if<Persist>(&action)) {
    apply(image, *change);
  } else if (const auto* pools = std::get_if<KeepPools>(&action)) {
    image.pools = pools->pools;
  }
}

}  // namespace

std::vector<Kept> Image::kept() const {
  std::vector<Kept> all;
  all.reserve(records.size());
  for (const auto& [key, record] : records) all.push_back(record);
  return all;
}

std::vector<FileInfo> Image::all_files() const {
  std::vector<FileInfo> all;
  for (const auto& [path, file] : files) all.push_back(file);
  return all;
}

Disk::Outcome Disk::commit(const Actions& actions) {
  if (std::none_of(actions.begin(), actions.end(), keeps)) return Outcome::nothing;
  if (full_ && reserve_ == 0) return Outcome::refused;
  for (const auto& action : actions) apply(image, action);
  if (!full_) return Outcome::committed;
  --reserve_;
  return Outcome::reserve;
}

void Disk::set_full(bool full) {
  full_ = full;
  if (full) reserve_ = kReserve;
}

}  // namespace proffer::sim::storm
