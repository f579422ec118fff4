// The search for the file that a command names.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace proffer::live {

/// `name` as it is when it holds a slash; else the first executable file of that name in the folders of PATH
/// of `env` (NAME=VALUE each; /usr/local/bin:/usr/bin:/bin when it has none). Folders of PATH that are not
/// absolute are below `folder`. None: there is no such program.
std::optional<std::string> find_program(const std::string& name, const std::vector<std::string>& env,
                                        const std::string& folder);

}  // namespace proffer::live
