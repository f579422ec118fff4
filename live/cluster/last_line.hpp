// The reason why a process ended, as far as it wrote one.
#pragma once

#include <string>

namespace proffer::live {

/// The last line of a log that is not empty; "" where there is none.
std::string last_line(const std::string& path);

}  // namespace proffer::live
