// Comparing secrets without telling by the time it takes how much of a guess was right.
#pragma once

#include <string_view>

namespace proffer::live {

/// An empty secret opens nothing.
bool same_secret(std::string_view secret, std::string_view shown);

}  // namespace proffer::live
