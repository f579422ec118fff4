// The commands of a script. README.md lists them.
#pragma once

#include <string>

#include "tests/scenario/script.hpp"
#include "tests/scenario/world.hpp"

namespace proffer::scenario {

/// Carries out one command and returns what it printed, a line each. A command that makes no sense prints
/// "error: ".
std::string run(World& world, const Command& command);

}  // namespace proffer::scenario
