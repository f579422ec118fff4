// What a script can say. README.md lists it.
#pragma once

#include <string>

#include "tests/scenario/script.hpp"
#include "tests/scenario/world.hpp"

namespace proffer::scenario {

/// Carries out one command and returns what it printed, a line each. A command that makes no sense prints
/// "error: ".
std::string run(World& world, const Command& command);

}  // namespace proffer::scenario
