// The names by which a browser may call a server of this machine.
#pragma once

#include <string_view>

namespace proffer::live {

/// Returns whether a Host header names this machine by an address of its loopback, or as localhost, with or
/// without a port. A page of somebody else can have its own name resolve to 127.0.0.1, and would then read
/// what a server there answers; but the browser still sends that page's name.
bool is_loopback_name(std::string_view host);

}  // namespace proffer::live
