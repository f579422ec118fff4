// Policies by name: the text in which people write them, and how one is made from it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/frameworks/foresight.hpp"
#include "proffer/frameworks/policy.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// A policy by name with its settings, e.g. {"wait", {{"node_wait", "500ms"}, {"rack_wait", "500ms"}}}.
struct PolicySpec {
  std::string name = "greedy";
  std::map<std::string, std::string> settings;
};
/// Reads "wait,node_wait=5s,rack_wait=5s". `invalid` for an empty name or a setting without "=". All that
/// follows the name `process` is its setting `command`: "process,python3 my_policy.py --passes=5".
Result<PolicySpec> parse_policy(std::string_view text);
/// Returns the text that parse_policy reads.
std::string to_string(const PolicySpec& spec);
/// Makes a policy. `not_found` for an unknown name, `invalid` for an unknown or bad setting (the message
/// names the known ones). `heartbeat` is the cluster's: waits that are not given are min(15 s, 1.5 x
/// heartbeat), and as with the usual 1 s where it is zero.
Result<std::unique_ptr<Policy>> make_policy(const PolicySpec& spec,
                                            Duration heartbeat = std::chrono::seconds(1));
/// Returns the names of all policies, sorted; plug-ins too.
std::vector<std::string> policy_names();
/// Hands foresight to a policy that needs it, once, before anything else. `invalid` when the policy needs
/// foresight and `foresight` is null.
Result<> give_foresight(Policy& policy, const PolicySpec& spec, const Foresight* foresight);

}  // namespace proffer
