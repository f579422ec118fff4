// Files and their blocks. Its invariants: no file lies below a file, every block belongs to exactly one file,
// and no block id is given out twice.
//
// A file is durable once it is complete. A file that is being written is only in this table: a catalog that
// starts again has forgotten it, tells its writer so, and has its blocks deleted as nobody's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proffer/messages/catalog.hpp"

namespace proffer::catalog {

class NameTable {
 public:
  struct File {
    std::uint32_t replication = 1;
    bool complete = false;
    std::uint64_t length = 0;
    std::vector<BlockInfo> blocks;   ///< sealed ones; replicas are not kept here
    std::optional<BlockId> pending;  ///< allocated, not yet sealed
  };
  using Files = std::map<std::string, File>;
  using Range = std::pair<Files::const_iterator, Files::const_iterator>;

  /// Takes `files` and `next_block` as they were persisted. Aborts when they break the invariants.
  NameTable(std::vector<FileInfo> files, BlockId next_block);

  const File* find(const std::string& path) const;
  bool is_folder(const std::string& path) const;
  /// Returns the file among the folders of `path`, if there is one: nothing can lie below it.
  std::optional<std::string> file_above(const std::string& path) const;
  /// Returns the file `path`, or all files below it, in order of path.
  Range at_or_below(const std::string& path) const;
  std::size_t size() const { return files_.size(); }
  FileInfo info(const std::string& path) const;

  /// Returns whether a replica of this length is wanted: its block belongs to a file, and is still being
  /// written or has that length.
  bool wants(BlockId block, std::uint64_t length) const;
  /// Returns the length of a sealed block; 0: it is pending, or of no file.
  std::uint64_t sealed_length(BlockId block) const;
  bool is_sealed(BlockId block) const { return sealed_length(block) != 0; }
  /// Returns whether this catalog may ever have given out the id. Blocks of other ids come from names that
  /// are lost or from another cluster, and are not for this catalog to delete.
  bool gave_out(BlockId block) const;
  /// Notes an id of a block that was never given out; it is skipped from now on, unless there are too many of
  /// these.
  void avoid(BlockId block);

  /// Reserves ids when none is left; the new bound must be durable before begin_block. None: some are left.
  std::optional<BlockId> reserve_ids();

  // Each of the following aborts unless its rule in name_rules.hpp allows it.
  void create(const std::string& path, std::uint32_t replication);
  BlockId begin_block(const std::string& path);
  /// Gives up the pending block, if there is one.
  std::optional<BlockId> abandon_block(const std::string& path);
  void seal_block(const std::string& path, std::uint64_t length, std::uint64_t first_record);
  void complete(const std::string& path);
  void rename(const std::string& from, const std::string& to);
  /// Returns the blocks that belong to nobody now.
  std::vector<BlockId> remove(const std::string& path);

  void check_invariants() const;

 private:
  File& must_find(const std::string& path);

  Files files_;
  std::map<BlockId, std::uint64_t> owned_;  ///< the sealed length of each block; 0: pending
  std::set<BlockId> avoided_;
  BlockId next_{1};
  BlockId reserved_{1};  ///< ids below it may be given out
};

}  // namespace proffer::catalog
