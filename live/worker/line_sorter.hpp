// Sorts any amount of lines by partition and key within a bounded amount of memory: what does not fit is
// spilled to disk in sorted runs, which are merged at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "live/worker/line_merge.hpp"

namespace proffer::live {

class LineSorter {
 public:
  /// `folder`: where it spills, to files without a name. `budget_bytes`: for lines and what is kept about
  /// each; a line longer than that is held nevertheless.
  LineSorter(std::string folder, std::size_t budget_bytes, std::uint32_t partitions);

  /// Adds a line, given without its line feed.
  Result<> add(std::uint32_t partition, std::string_view line);
  /// Ends the input: no more lines will come.
  Result<> finish();
  /// Hands over the lines of one partition in order. Only after finish().
  Result<> read(std::uint32_t partition, const LineSink& sink) const;
  /// Returns how often memory was full.
  std::size_t spills() const { return runs_.size(); }

 private:
  struct Entry {
    std::uint64_t prefix = 0;  // the key's first 8 bytes as a number, for most comparisons
    const char* line = nullptr;
    std::uint32_t length = 0;
    std::uint32_t key = 0;
    std::uint32_t partition = 0;
  };
  static bool before(const Entry& a, const Entry& b);
  const char* keep(std::string_view line);
  Result<> spill();
  void sort();

  std::string folder_;
  std::size_t budget_;
  std::uint32_t partitions_;
  std::vector<Entry> entries_;
  std::vector<std::unique_ptr<char[]>> slabs_;
  std::size_t slab_left_ = 0;
  char* slab_at_ = nullptr;
  std::size_t held_ = 0;  // bytes of slabs
  std::unique_ptr<FileAppender> spilled_;
  std::vector<std::vector<LineRun>> runs_;  // a list a spill, by partition
};

}  // namespace proffer::live
