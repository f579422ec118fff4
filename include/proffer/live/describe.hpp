// Asks an allocator what it sees.
#pragma once

#include <string>

#include "proffer/live/port.hpp"
#include "proffer/message.hpp"

namespace proffer::live {

/// Returns the whole state, pages joined. `unreachable` when nobody answers in time, `invalid` for a bad
/// address.
Result<ClusterState> describe(Context& context, const std::string& allocator_endpoint, Duration timeout);

}  // namespace proffer::live
