// How much of one thing each connection has brought that is still here: so a single peer cannot fill a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "proffer/ids.hpp"

namespace proffer::allocator {

/// What no client's connection has brought, such as what was known before a start, is counted for PeerId{}.
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
