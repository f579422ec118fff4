// Requests for changes by an allocator, and for the detached jobs of its cluster.
#pragma once

#include <string>
#include <vector>

#include "proffer/live/port.hpp"
#include "proffer/message.hpp"

namespace proffer::live {

/// Sends a CHANGE_POOL, RELOAD_POOLS, MOVE_FRAMEWORK, KILL_JOB, MOVE_JOB, CHANGE_AGENT or SUBMIT_JOB; its
/// number is filled in. Returns what was done, and warnings about it; the allocator's error when it refuses;
/// `unreachable` when nobody answers in time, `invalid` for a bad address.
Result<AdminDone> operate(Context& context, const std::string& allocator_endpoint, Message change,
                          Duration timeout);

/// Returns the detached jobs whose ids begin so, or the one of that id. Errors as operate().
Result<std::vector<DetachedJob>> detached_jobs(Context& context, const std::string& allocator_endpoint,
                                               const std::string& id, Duration timeout);

}  // namespace proffer::live
