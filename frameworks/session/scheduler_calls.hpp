// Calls of the scheduler, and what it asks for in them, in order, as messages.
#pragma once

#include <functional>
#include <vector>

#include "frameworks/session/turn.hpp"

namespace proffer::frameworks {

using Callback = std::function<void(Driver&)>;

/// Calls the scheduler, and does what it asked for. No effect once the framework leaves or has finished.
void call_scheduler(const Turn& turn, const Callback& call);
/// Calls the scheduler, and returns what it asked for, for carry_out(). None once the framework leaves or has
/// finished.
std::vector<Driver::Call> calls_of(const Turn& turn, const Callback& call);
void carry_out(const Turn& turn, std::vector<Driver::Call> calls);

}  // namespace proffer::frameworks
