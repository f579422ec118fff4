// A count, by connection, of the entries that it has brought into a table, so that one peer cannot fill a
// table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "proffer/ids.hpp"

namespace proffer::allocator {

/// Entries that came through no connection, such as those known before a start, are counted for PeerId{}.
class Brought {
 public:
  std::size_t by(PeerId peer) const {
    const auto found = counts_.find(peer.value);
    return found == counts_.end() ? 0 : found->second;
  }
  void add(PeerId peer, std::size_t count = 1) {
    if (count > 0) counts_[peer.value] += count;
  }
  void remove(PeerId peer) {
    const auto found = counts_.find(peer.value);
    if (found != counts_.end() && --found->second == 0) counts_.erase(found);
  }

 private:
  std::unordered_map<std::uint64_t, std::size_t> counts_;  // above 0; never iterated
};

}  // namespace proffer::allocator
