// The places at which a file is cut into blocks, and at which records begin in them. A record is a line:
// everything up to and with a line feed (so that a carriage return before it belongs to the line), or the
// rest of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace proffer::live {

/// The distance before its full length at which a block may end for the sake of a line's end.
inline constexpr std::size_t kCutWindow = 64 << 10;

/// Returns the length of the block that begins `bytes`, of which there are more than `block_bytes`: up to the
/// last line end in its last 64 KiB, or all of `block_bytes` when there is none.
std::size_t block_end(std::string_view bytes, std::uint64_t block_bytes);

/// Returns the offset at which the first record that starts in the block begins; the block's length when none
/// does. `after_line_end`: the block is the first, or the one before it ended with a line.
std::uint64_t first_record_in(std::string_view block, bool after_line_end);

}  // namespace proffer::live
