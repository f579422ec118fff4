// The flag --plugin: policies from shared objects.
#pragma once

#include <string>
#include <vector>

#include "proffer/result.hpp"

namespace proffer::cli {

/// Loads plug-ins in their order; errors of load_policies. Must be called before the first machine or thread
/// is made.
Result<> load_plugins(const std::vector<std::string>& files);

}  // namespace proffer::cli
