// Texts that gzip has packed (RFC 1952).
#pragma once

#include <string>
#include <string_view>

#include "proffer/result.hpp"

namespace proffer::formats {

/// Returns whether a file begins as gzip's do.
bool is_gzip(std::string_view bytes);
/// Unpacks all members, one behind the other. `corrupt` with the name of the file when they are cut off or
/// broken.
Result<std::string> gunzip(std::string_view bytes, std::string_view file);

}  // namespace proffer::formats
