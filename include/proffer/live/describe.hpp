// The request for an allocator's view of the cluster.
#pragma once

#include <string>

#include "proffer/live/port.hpp"
#include "proffer/message.hpp"

namespace proffer::live {

/// Returns the whole state, with the newest `tasks` tasks, pages joined. `unreachable` when nobody answers in
/// time, `invalid` for a bad address.
Result<ClusterState> describe(Context& context, const std::string& allocator_endpoint, Duration timeout,
                              std::uint64_t tasks = 0);

}  // namespace proffer::live
