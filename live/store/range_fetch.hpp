// The bookkeeping of a range that is fetched in pieces: what to ask for next, and what can be handed on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "proffer/messages/data.hpp"

namespace proffer::live {

class RangeFetch {
 public:
  RangeFetch(std::uint64_t offset, std::uint64_t length)
      : asked_(offset), handed_(offset), end_(offset + length) {}

  struct Piece {
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
  };
  /// Returns the piece to ask for now; none while the credit is used up, or when all has been asked for.
  std::optional<Piece> next_piece();
  /// Notes that the piece was asked for under this number.
  void asked(std::uint64_t request, Piece piece) { open_[request] = piece; }
  bool is_open(std::uint64_t request) const { return open_.contains(request); }

  /// Takes a chunk of an open request. A short one is asked for again as to its rest, and later pieces are
  /// made no longer than it. `invalid` when the range goes past the end of what there is.
  Result<> take(Chunk chunk);
  /// Returns the next bytes in order, if they are there.
  std::optional<std::string> next_bytes();

  bool done() const { return handed_ == end_; }
  /// Returns the offset up to which everything has been handed on.
  std::uint64_t handed() const { return handed_; }

 private:
  std::uint64_t asked_;   // all before it is asked for, but for the gaps
  std::uint64_t handed_;  // all before it has been handed on
  std::uint64_t end_;
  std::uint64_t piece_bytes_ = 0;                 // 0: nothing learnt yet
  std::map<std::uint64_t, std::uint64_t> gaps_;   // ranges to be asked for again: offset and length
  std::map<std::uint64_t, Piece> open_;           // keyed by request
  std::map<std::uint64_t, std::string> arrived_;  // keyed by offset, out of order
};

}  // namespace proffer::live
