// Plug-ins of this build.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "proffer/frameworks/policy_registry.hpp"
#include "proffer/plugins/load.hpp"

namespace proffer::testing {

inline std::string plugin(const std::string& name) { return PROFFER_BIN_DIR "/../plugins/" + name + ".so"; }

/// Loads it; again when it is loaded.
inline Plugin load(const std::string& name) {
  const auto loaded = load_policies(plugin(name));
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded ? *loaded : Plugin{};
}

/// Returns the error for a policy, or a plug-in, that does not exist.
inline std::string refusal(const std::string& policy) {
  const auto made = make_policy(parse_policy(policy).value());
  return made ? "nothing is wrong" : made.error().message;
}

}  // namespace proffer::testing
