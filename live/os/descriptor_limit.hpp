// The number of descriptors that this process may have open.
#pragma once

#include <cstdint>

namespace proffer::live {

/// Raises the limit to `least`, or as far as this user may. Where that is refused, the limit stays.
void raise_descriptor_limit(std::uint64_t least);

/// Returns the limit as it stands.
std::uint64_t descriptor_limit();

}  // namespace proffer::live
