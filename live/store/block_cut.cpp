#include "live/store/block_cut.hpp"

#include "proffer/check.hpp"

namespace proffer::live {

std::size_t block_end(std::string_view bytes, std::uint64_t block_bytes) {
  PROFFER_CHECK(block_bytes > 0 && bytes.size() > block_bytes, "the block is not full");
  const auto full = bytes.substr(0, block_bytes);
  const auto line_end = full.rfind('\n');
  if (line_end == std::string_view::npos || full.size() - line_end > kCutWindow) return full.size();
  return line_end + 1;
}

std::uint64_t first_record_in(std::string_view block, bool after_line_end) {
  if (after_line_end) return 0;
  const auto line_end = block.find('\n');
  return line_end == std::string_view::npos ? block.size() : line_end + 1;
}

}  // namespace proffer::live
