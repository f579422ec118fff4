// Addresses as people write them: tcp://HOST:PORT, or ipc://PATH.
#pragma once

#include <string>

#include "proffer/result.hpp"

namespace proffer::live {

enum class Side { listen, connect };

/// ZeroMQ takes ports past 65535 (it wraps them) and half-readable ones, so addresses are checked before it
/// sees them. To listen, port 0 or * means a free one. `invalid` with one clear sentence.
Result<> check_endpoint(const std::string& endpoint, Side side);

}  // namespace proffer::live
