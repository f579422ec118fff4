// Functions and settings that all daemons share.
#pragma once

#include <functional>
#include <string>

#include "live/host/host.hpp"

namespace proffer::live {

/// Raises the limit of descriptors as far as this user may: many peers are many descriptors.
void raise_file_limit();

/// Returns the path of a program that is installed beside the one that runs.
std::string program_beside_us(const std::string& name);

/// The file of a ballast in a daemon's folder.
inline constexpr const char* kBallastFile = "ballast";

/// The end of a machine.
struct EndOfMachine {
  Stopping how = {};
  std::function<bool()> done = {};  ///< true once the machine has done all that it wanted to; empty: at once
};
/// Serves until `stop` is requested, and then ends the machine in good order: it is told, it has a bounded
/// time for what it wants to do about that, and what it says has a bounded time to leave. After an error,
/// which is returned, nothing is done any more but to send what is due.
Result<> serve_until(Stop& stop, Loop& loop, Host& host, const EndOfMachine& end = {});

}  // namespace proffer::live
