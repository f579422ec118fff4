#include "live/store/range_fetch.hpp"

#include <algorithm>

#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

// Half of what a server allows a reader to have open: enough to keep it busy.
constexpr std::size_t kOpenPieces = 4;
constexpr std::uint64_t kSmallestFetch = 4 << 10;

}  // namespace

std::optional<RangeFetch::Piece> RangeFetch::next_piece() {
  // Pieces that wait for an earlier one count as well, or a gap would let them pile up.
  if (open_.size() + arrived_.size() >= kOpenPieces && (gaps_.empty() || open_.size() >= kOpenPieces))
    return {};
  const auto most = piece_bytes_ == 0 ? limits::kChunkBytes : piece_bytes_;
  if (!gaps_.empty()) {
    const auto [offset, length] = *gaps_.begin();
    gaps_.erase(gaps_.begin());
    const auto taken = std::min<std::uint64_t>(length, most);
    if (taken < length) gaps_[offset + taken] = length - taken;
    return Piece{offset, static_cast<std::uint32_t>(taken)};
  }
  const auto length = std::min<std::uint64_t>(end_ - asked_, most);
  if (length == 0) return {};
  asked_ += length;
  return Piece{asked_ - length, static_cast<std::uint32_t>(length)};
}

Result<> RangeFetch::take(Chunk chunk) {
  const auto open = open_.find(chunk.request);
  PROFFER_CHECK(open != open_.end(), "the request is not open");
  const auto piece = open->second;
  open_.erase(open);
  const auto got = chunk.bytes.size();
  if (got > piece.length) return Error{ErrorCode::corrupt, "a data port sent more than was asked for"};
  if (got < piece.length) {
    if (piece.offset + got >= chunk.total) {
      return Error{ErrorCode::invalid, "there are only " + std::to_string(chunk.total) + " bytes"};
    }
    if (got == 0) return Error{ErrorCode::corrupt, "a data port sent nothing where there is something"};
    gaps_[piece.offset + got] = piece.length - got;
    piece_bytes_ = std::max<std::uint64_t>(got, kSmallestFetch);
  }
  arrived_[piece.offset] = std::move(chunk.bytes);
  return {};
}

std::optional<std::string> RangeFetch::next_bytes() {
  const auto first = arrived_.begin();
  if (first == arrived_.end() || first->first != handed_) return {};
  auto bytes = std::move(first->second);
  arrived_.erase(first);
  handed_ += bytes.size();
  return bytes;
}

}  // namespace proffer::live
