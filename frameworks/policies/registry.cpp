// Every built-in policy, in one explicit table: registration by static objects would vanish from archives.
#include <algorithm>
#include <array>

#include "frameworks/policies/greedy.hpp"
#include "frameworks/policies/settings.hpp"
#include "proffer/frameworks/policy.hpp"

namespace proffer {
namespace {

using PolicyPtr = std::unique_ptr<Policy>;

struct Entry {
  std::string_view name;
  std::span<const std::string_view> settings;
  PolicyPtr (*make)(Settings& settings, Duration heartbeat);
};

PolicyPtr make_greedy(Settings&, Duration) { return std::make_unique<GreedyPolicy>(); }

/// Sorted by name.
constexpr std::array kPolicies{
    Entry{"greedy", {}, make_greedy},
};

}  // namespace

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const auto& entry : kPolicies) names.emplace_back(entry.name);
  return names;
}

Result<PolicyPtr> make_policy(const PolicySpec& spec, Duration heartbeat) {
  const auto entry = std::find_if(kPolicies.begin(), kPolicies.end(),
                                  [&](const Entry& candidate) { return candidate.name == spec.name; });
  if (entry == kPolicies.end()) {
    std::vector<std::string_view> names;
    for (const auto& known : kPolicies) names.push_back(known.name);
    return Error{ErrorCode::not_found,
                 "there is no policy '" + spec.name + "'; there are " + join_names(names)};
  }
  Settings settings(spec, entry->settings);
  auto policy = entry->make(settings, heartbeat);
  if (settings.error()) return *settings.error();
  return policy;
}

}  // namespace proffer
