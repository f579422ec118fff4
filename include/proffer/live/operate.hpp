// The request for a change by an allocator.
#pragma once

#include <string>

#include "proffer/live/port.hpp"
#include "proffer/message.hpp"

namespace proffer::live {

/// Sends a CHANGE_POOL, RELOAD_POOLS, MOVE_FRAMEWORK, KILL_JOB, MOVE_JOB or CHANGE_AGENT; its number is
/// filled in. Returns what was done, and warnings about it; the allocator's error when it refuses;
/// `unreachable` when nobody answers in time, `invalid` for a bad address.
Result<AdminDone> operate(Context& context, const std::string& allocator_endpoint, Message change,
                          Duration timeout);

}  // namespace proffer::live
