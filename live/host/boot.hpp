// The boot of this host: two starts of a host differ in it, however its clock runs.
#pragma once

#include <string>

#include "proffer/result.hpp"

namespace proffer::live {

/// Returns the number that the kernel drew when it started. `io`.
Result<std::string> this_boot();

}  // namespace proffer::live
