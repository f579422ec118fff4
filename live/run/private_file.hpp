// Files of the agent's own, which nobody else may read.
#pragma once

#include <string>
#include <string_view>

#include "proffer/result.hpp"

namespace proffer::live {

/// Appears at `path` whole or not at all, replacing what was there. `io`.
Result<> write_private_file(const std::string& path, std::string_view bytes, bool executable = false);

/// With all folders above it. `io`.
Result<> make_private_folders(const std::string& path);

}  // namespace proffer::live
