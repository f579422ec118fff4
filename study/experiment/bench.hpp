// An experiment turned into a comparison of policies.
#pragma once

#include <string>
#include <vector>

#include "study/experiment/tree.hpp"

namespace proffer::study {

/// Sweeps the policy of all frameworks over these, before whatever else the experiment varies, and takes out
/// what it says of policies itself: in [[framework]], [sweep], [[cell]], and variables that nothing else
/// uses.
void compare_policies(TomlNode& root, const std::vector<std::string>& policies);

}  // namespace proffer::study
