// Blocks that are being stored: into ID.part, and under their own name once all is there and checked. No
// sync: a replica that a power failure damages has the wrong length or is missing, and the others stand.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "live/os/open_file.hpp"
#include "live/store/crc32.hpp"
#include "live/store/data_folders.hpp"
#include "proffer/messages/data.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

class BlockIngest {
 public:
  explicit BlockIngest(const DataFolders& folders) : folders_(folders) {}

  /// Takes a piece of a block. Returns the length of the block when this piece closed it. After an error the
  /// part is gone, and a writer may begin anew.
  Result<std::optional<std::uint64_t>> take(PeerId writer, const Store& store, Time now);

  void forget(PeerId writer);
  void forget(BlockId block) { parts_.erase(block); }
  /// Gives up parts whose writers have said nothing for long.
  void expire(Time now);
  bool empty() const { return parts_.empty(); }

 private:
  struct Part {
    PeerId writer;
    OpenFile file;
    std::uint64_t length = 0;
    Crc32 crc;
    Time touched{};
  };
  Result<> begin(PeerId writer, const Store& store);
  Result<> append(Part& part, const Store& store);
  Result<std::uint64_t> finish(const Part& part, const Store& store);
  void abandon(BlockId block);

  const DataFolders& folders_;
  std::map<BlockId, Part> parts_;
};

}  // namespace proffer::live
