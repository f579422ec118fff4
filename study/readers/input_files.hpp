// The files that the jobs of a trace read, by path. Jobs share a file of one path, of which each reads its
// own extent, from the first byte on; the file is as large as its largest reader, or as somebody says.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/result.hpp"
#include "study/readers/assembly.hpp"

namespace proffer::study {

class InputFiles {
 public:
  /// `block_bytes`: size of a block, and so of what a map reads. None: a job's maps read equal parts, and a
  /// block is as large as the largest part that somebody reads of the file.
  explicit InputFiles(std::optional<std::uint64_t> block_bytes = {}) : block_bytes_(block_bytes) {}

  /// The job that was added to the assembly last reads so many bytes: above 0, one for each map at least.
  void add_reader(TracePlace place, const Assembly& assembly, std::string path, std::uint64_t bytes);
  /// The file, if anybody reads it, is at least so large.
  void add_size(TracePlace place, const std::string& path, std::uint64_t bytes);

  /// Adds the files that are read, in the order in which they were named first, and tells each job what it
  /// reads. `invalid` with the place that made a file larger than one may be.
  Result<> add_to(Assembly& assembly) const;

 private:
  struct Reader {
    std::size_t job = 0;
    std::uint64_t bytes = 0;
  };
  struct File {
    std::string path;
    std::uint64_t bytes = 0;
    TracePlace place;  ///< of the line that made it so large
    std::vector<Reader> readers;
  };
  File& file(const std::string& path);
  std::vector<std::uint64_t> parts(const Assembly& assembly, const Reader& reader) const;
  bool are_alike(const Assembly& assembly, const File& file) const;
  Result<std::vector<std::uint64_t>> blocks_of(const Assembly& assembly, const File& file) const;

  std::optional<std::uint64_t> block_bytes_;
  std::vector<File> files_;
  std::map<std::string, std::size_t> by_path_;
};

/// `total` in pieces of `piece` bytes, of which the last one may be smaller.
std::vector<std::uint64_t> pieces_of(std::uint64_t total, std::uint64_t piece);
/// The number of these pieces.
inline std::uint64_t count_pieces(std::uint64_t total, std::uint64_t piece) {
  return total / piece + (total % piece != 0);
}

}  // namespace proffer::study
