// The files that `proffer policy new` writes.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace proffer::cli {

/// Returns the files of a folder for the policy of that name: (name, text). `name` is one that PolicyRegistry
/// takes.
std::vector<std::pair<std::string, std::string>> policy_files(const std::string& name,
                                                              const std::string& proffer);

}  // namespace proffer::cli
