// Plug-ins with policies that an experiment names.
#pragma once

#include <string>
#include <vector>

#include "proffer/study/experiment.hpp"
#include "study/experiment/tree.hpp"

namespace proffer::study {

/// Loads those of the file, `plugins = ["x.so"]`, then those given beside it, into experiment.plugins. Errors
/// of load_policies, those of the file with their place.
Result<> load_plugins(const TomlNode& root, const std::vector<std::string>& beside, Experiment& experiment);

}  // namespace proffer::study
