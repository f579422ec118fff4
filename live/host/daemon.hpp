// Functions and settings that all daemons share.
#pragma once

#include <string>

#include "live/host/host.hpp"

namespace proffer::live {

/// Raises the limit of descriptors as far as this user may: many peers are many descriptors.
void raise_file_limit();

/// Returns the path of a program that is installed beside the one that runs.
std::string program_beside_us(const std::string& name);

/// The time that queued messages have to leave when a daemon stops.
inline constexpr Duration kDrainAtStop = std::chrono::seconds(1);

}  // namespace proffer::live
