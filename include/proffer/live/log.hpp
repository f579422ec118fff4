// The log for people, on standard error. One line a thing; data goes to standard output, never here.
#pragma once

#include <string>
#include <string_view>

#include "proffer/result.hpp"

namespace proffer::live::log {

/// `name` stands in every line, so that the output of several processes can be told apart. `level`: debug,
/// info, warn, error or off; `invalid` otherwise. Before it is called, only warnings and errors are shown.
Result<> start(const std::string& name, std::string_view level);

void debug(std::string_view line);
void info(std::string_view line);
void warn(std::string_view line);
void error(std::string_view line);

}  // namespace proffer::live::log
