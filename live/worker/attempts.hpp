// Asking again, since a network fails now and then.
#pragma once

#include <functional>

#include "proffer/result.hpp"

namespace proffer::live {

/// Calls `attempt` up to three times, with pauses of 200 and 400 ms, until it succeeds or fails for a reason
/// that will not pass (`not_found`, `refused`, `invalid`). The error is the last attempt's.
Result<> try_again(const std::function<Result<>()>& attempt);

}  // namespace proffer::live
