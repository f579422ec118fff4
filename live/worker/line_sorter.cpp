#include "live/worker/line_sorter.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "live/worker/line_key.hpp"
#include "proffer/check.hpp"

namespace proffer::live {
namespace {

constexpr std::size_t kSlabBytes = 1 << 20;

std::uint64_t prefix_of(std::string_view key) {
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    prefix = prefix << 8 | (i < key.size() ? static_cast<unsigned char>(key[i]) : 0);
  }
  return prefix;
}

}  // namespace

LineSorter::LineSorter(std::string folder, std::size_t budget_bytes, std::uint32_t partitions)
    : folder_(std::move(folder)), budget_(budget_bytes), partitions_(partitions) {}

/// Equal prefixes tell nothing: a short key and one with zero bytes have the same.
bool LineSorter::before(const Entry& a, const Entry& b) {
  if (a.partition != b.partition) return a.partition < b.partition;
  if (a.prefix != b.prefix) return a.prefix < b.prefix;
  return line_before({a.line, a.length}, a.key, {b.line, b.length}, b.key);
}

const char* LineSorter::keep(std::string_view line) {
  if (line.size() > slab_left_) {
    const auto bytes = std::max(line.size(), std::min(kSlabBytes, budget_ / 4 + 1));
    slabs_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
    slab_at_ = slabs_.back().get();
    slab_left_ = bytes;
    held_ += bytes;
  }
  char* kept = slab_at_;
  if (!line.empty()) std::memcpy(kept, line.data(), line.size());
  slab_at_ += line.size();
  slab_left_ -= line.size();
  return kept;
}

Result<> LineSorter::add(std::uint32_t partition, std::string_view line) {
  PROFFER_CHECK(partition < partitions_, "a line for a partition that is not there");
  if (line.size() > std::numeric_limits<std::uint32_t>::max()) {
    return Error{ErrorCode::slow_down, "a line is longer than 4 GiB"};
  }
  const auto needed = (entries_.size() + 1) * sizeof(Entry) + (line.size() > slab_left_ ? line.size() : 0);
  if (!entries_.empty() && held_ + needed > budget_) {
    if (auto spilled = spill(); !spilled) return spilled;
  }
  const auto key = key_of(line);
  entries_.push_back({prefix_of(key), keep(line), static_cast<std::uint32_t>(line.size()),
                      static_cast<std::uint32_t>(key.size()), partition});
  return {};
}

void LineSorter::sort() { std::sort(entries_.begin(), entries_.end(), before); }

Result<> LineSorter::spill() {
  if (!spilled_) {
    auto file = OpenFile::nameless(folder_, kTaskFile);
    if (!file) return file.error();
    spilled_ = std::make_unique<FileAppender>(std::move(*file));
  }
  sort();
  std::vector<LineRun> runs(partitions_);
  for (const auto& entry : entries_) {
    auto& run = runs[entry.partition];
    if (run.length == 0) run.offset = spilled_->size();
    if (auto put = spilled_->append_line({entry.line, entry.length}); !put) return put;
    run.length += entry.length + 1ull;
  }
  for (auto& run : runs) run.file = &spilled_->file();
  runs_.push_back(std::move(runs));
  entries_.clear();
  slabs_.clear();
  held_ = 0;
  slab_left_ = 0;
  return spilled_->flush();
}

Result<> LineSorter::finish() {
  if (runs_.empty()) {
    sort();
    return {};
  }
  return entries_.empty() ? Result<>() : spill();
}

Result<> LineSorter::read(std::uint32_t partition, const LineSink& sink) const {
  if (!runs_.empty()) {
    std::vector<LineRun> runs;
    for (const auto& spill : runs_) runs.push_back(spill[partition]);
    return merge_lines(std::move(runs), folder_, sink);
  }
  const auto [first, past] =
      std::equal_range(entries_.begin(), entries_.end(), Entry{.partition = partition},
                       [](const Entry& a, const Entry& b) { return a.partition < b.partition; });
  for (auto entry = first; entry != past; ++entry) {
    if (auto taken = sink({entry->line, entry->length}); !taken) return taken;
  }
  return {};
}

}  // namespace proffer::live
