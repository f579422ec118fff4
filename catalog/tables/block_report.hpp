// A full report of an agent's blocks, put together from its pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "proffer/messages/catalog.hpp"

namespace proffer::catalog {

class ReportAssembly {
 public:
  enum class Added : std::uint8_t {
    more,      ///< further pages must come
    last,      ///< the report is complete
    gap,       ///< a page is missing: the report is worth nothing
    too_many,  ///< past limits::kReplicasPerAgent
  };
  Added add(const BlockReport& page);

  /// Keeps a change that came between the pages; it is applied after the last one, since the pages may be
  /// older. False: there are too many of them.
  bool keep(const BlocksChanged& changed);

  std::map<BlockId, std::uint64_t> take_blocks() { return std::move(blocks_); }
  std::vector<BlocksChanged> take_changes() { return std::move(changes_); }

 private:
  std::uint32_t next_page_ = 0;
  std::map<BlockId, std::uint64_t> blocks_;
  std::vector<BlocksChanged> changes_;
  std::size_t kept_ = 0;  ///< blocks in these
};

}  // namespace proffer::catalog
