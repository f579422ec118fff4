// Names of enumerations, as they appear in logs, reports and on the command line.
#include <algorithm>
#include <array>

#include "proffer/decline_reason.hpp"
#include "proffer/names.hpp"
#include "proffer/pool.hpp"
#include "proffer/result.hpp"
#include "proffer/task_state.hpp"
#include "proffer/topology.hpp"

namespace proffer {
namespace {

constexpr std::array<std::string_view, kDeclineReasons> kDeclineNames{
    "no-node-local", "no-rack-local", "too-small", "no-pending-task", "policy", "other"};

}  // namespace

std::optional<Priority> priority_named(std::string_view name) {
  if (name.empty()) return Priority::normal;
  const auto at = std::find(kPriorities.begin(), kPriorities.end(), name);
  if (at == kPriorities.end()) return {};
  return static_cast<Priority>(at - kPriorities.begin());
}

std::string_view to_string(Locality locality) {
  static constexpr std::array<std::string_view, 3> kNames{"node", "rack", "any"};
  return enum_name(kNames, locality);
}

std::string_view to_string(DeclineReason reason) { return enum_name(kDeclineNames, reason); }

std::string_view to_string(TaskState state) {
  static constexpr std::array<std::string_view, kTaskStates> kNames{
      "PENDING", "STARTING", "RUNNING",  "KILLING", "UNREACHABLE", "FINISHED",
      "FAILED",  "KILLED",   "REJECTED", "DROPPED", "LOST",        "GONE"};
  return enum_name(kNames, state);
}

std::string_view to_string(TaskReason reason) {
  static constexpr std::array<std::string_view, 20> kNames{
      "none",           "exit",          "signal",     "spawn-failed",  "kill-requested",
      "framework-gone", "offer-gone",    "too-large",  "invalid",       "duplicate-id",
      "agent-lost",     "agent-refused", "preempted",  "agent-failed",  "output-lost",
      "host-reboot",    "agent-gone",    "agent-disk", "never-arrived", "drained"};
  return enum_name(kNames, reason);
}

std::string_view to_string(Known known) {
  static constexpr std::array<std::string_view, 3> kNames{"known", "awaited", "unknown"};
  return enum_name(kNames, known);
}

std::string_view to_string(ErrorCode code) {
  static constexpr std::array<std::string_view, 23> kNames{"invalid",
                                                           "version",
                                                           "type",
                                                           "body",
                                                           "wrong-cluster",
                                                           "unknown-session",
                                                           "unknown-framework",
                                                           "unknown-pool",
                                                           "unknown-kind",
                                                           "name-in-use",
                                                           "not-found",
                                                           "exists",
                                                           "refused",
                                                           "slow-down",
                                                           "unreachable",
                                                           "timed-out",
                                                           "io",
                                                           "corrupt",
                                                           "no-space",
                                                           "disk",
                                                           "fenced",
                                                           "agent-gone",
                                                           "split-brain"};
  return enum_name(kNames, code);
}

}  // namespace proffer
