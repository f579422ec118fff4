// A question to an allocator, outside of sessions.
#pragma once

#include <functional>
#include <string>

#include "proffer/live/port.hpp"
#include "proffer/message.hpp"

namespace proffer::live {

inline constexpr std::uint64_t kRequest = 1;

/// Hands answers to `take` until it returns true. A question that was lost with its connection, since the
/// allocator may be about to start, is asked again after `again`; so a change may
/// be refused because it was made already. The allocator's ERROR; `unreachable`,
/// `invalid`.
Result<> ask_allocator(Context& context, const std::string& endpoint, Message question, Duration timeout,
                       const std::function<bool(Message&)>& take, const std::function<void()>& again);

}  // namespace proffer::live
