// Open requests of all readers: each has its turn after every other one, whatever they ask for.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <utility>

#include "proffer/ids.hpp"
#include "proffer/messages/data.hpp"

namespace proffer::live {

/// Requests that a reader may have open at one server.
inline constexpr std::size_t kFetchCredit = 8;

class FetchQueue {
 public:
  /// Adds a request. False when the reader has used up its credit.
  bool add(PeerId reader, Fetch fetch);
  void forget(PeerId reader);
  bool empty() const { return turns_.empty(); }
  /// Returns the oldest request of the reader whose turn it is; its next turn comes after all others'. Aborts
  /// when empty.
  std::pair<PeerId, Fetch> take();

 private:
  std::map<PeerId, std::deque<Fetch>> open_;
  std::deque<PeerId> turns_;  // every reader of open_, once
};

}  // namespace proffer::live
