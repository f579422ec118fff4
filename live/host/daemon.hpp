// What all daemons need.
#pragma once

#include <string>

#include "live/host/host.hpp"

namespace proffer::live {

/// Many peers are many descriptors: as many as this user may have.
void raise_file_limit();

/// A program that is installed beside the one that runs.
std::string program_beside_us(const std::string& name);

/// How long what is queued may take to leave when a daemon stops.
inline constexpr Duration kDrainAtStop = std::chrono::seconds(1);

}  // namespace proffer::live
