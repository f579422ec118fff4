// The length of a frame in ZMTP, header included.
#pragma once

#include <cstddef>
#include <cstdint>

namespace proffer::live {

/// Frames of more than 255 bytes have a header of nine bytes, others of two.
inline std::uint64_t on_the_wire(std::size_t bytes) { return bytes + (bytes > 255 ? 9 : 2); }

}  // namespace proffer::live
