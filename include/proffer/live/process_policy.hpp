// Policies that are programs of their own, in any language (docs/POLICIES.md).
#pragma once

#include "proffer/frameworks/policy_registry.hpp"

namespace proffer::live {

/// Adds the policy `process`, which asks the program that its setting `command` starts. Its consider() and
/// next_level_change() throw PolicyFailed.
void add_process_policy(PolicyRegistry& registry);

}  // namespace proffer::live
