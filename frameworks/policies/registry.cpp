// Every built-in policy, in one explicit table: registration by static objects would vanish from archives.
#include <algorithm>
#include <array>

#include "frameworks/policies/greedy.hpp"
#include "frameworks/policies/settings.hpp"
#include "frameworks/policies/skip.hpp"
#include "frameworks/policies/wait.hpp"
#include "proffer/frameworks/policy.hpp"

namespace proffer {
namespace {

using PolicyPtr = std::unique_ptr<Policy>;

struct Entry {
  std::string_view name;
  std::span<const std::string_view> settings;
  PolicyPtr (*make)(Settings& settings, Duration heartbeat);
};

constexpr std::array<std::string_view, 1> kGreedySettings{"match"};
constexpr std::array<std::string_view, 4> kSkipSettings{"node_skips", "rack_skips", "idle_after", "reset"};
constexpr std::array<std::string_view, 3> kWaitSettings{"node_wait", "rack_wait", "reset"};

PolicyPtr make_greedy(Settings& settings, Duration) {
  constexpr std::array<std::string_view, 2> kMatches{"slot", "message"};
  return std::make_unique<GreedyPolicy>(settings.choice("match", kMatches) == 1);
}

PolicyPtr make_skip(Settings& settings, Duration) {
  SkipSettings skip;
  skip.node_skips = settings.count("node_skips", {});
  skip.rack_skips = settings.count("rack_skips", skip.node_skips);
  skip.idle_after = settings.duration_or_never("idle_after", std::chrono::seconds(15));
  constexpr std::array<std::string_view, 2> kResets{"on-local-launch", "on-launch"};
  skip.reset_on_launch = settings.choice("reset", kResets) == 1;
  return std::make_unique<SkipPolicy>(skip);
}

PolicyPtr make_wait(Settings& settings, Duration heartbeat) {
  const auto usual = std::min<Duration>(std::chrono::seconds(15), heartbeat * 3 / 2);
  WaitSettings wait;
  wait.node_wait = settings.duration("node_wait", usual);
  wait.rack_wait = settings.duration("rack_wait", usual);
  wait.reset = static_cast<ResetRule>(settings.choice("reset", kResetRules));
  return std::make_unique<WaitPolicy>(wait);
}

/// Sorted by name.
constexpr std::array kPolicies{
    Entry{"greedy", kGreedySettings, make_greedy},
    Entry{"skip", kSkipSettings, make_skip},
    Entry{"wait", kWaitSettings, make_wait},
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
