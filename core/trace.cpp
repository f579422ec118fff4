#include "proffer/trace.hpp"

#include <array>

#include "core/one_of.hpp"

namespace proffer {

PROFFER_ONE_OF(TraceSet);

std::string_view trace_name(const Trace& trace) {
  static constexpr std::array<std::string_view, std::variant_size_v<Trace::variant>> kNames{
      "agent_registered", "agent_lost",      "framework_subscribed", "framework_lost",
      "demand_changed",   "offer_made",      "offer_accepted",       "offer_declined",
      "offer_rescinded",  "offer_expired",   "task_launched",        "task_changed",
      "message_refused",  "job_submitted",   "task_placed",          "job_finished",
      "run_began",        "run_ended",       "file_changed",         "replica_changed",
      "pool_starved",     "slots_preempted", "compute_began",        "copy_decided",
      "drop_decided",     "copy_ended",      "storage_counted",      "pool_changed",
      "framework_rules",  "job_queued",      "task_queued",          "framework_moved",
      "job_moved",        "task_preempted",  "framework_added",      "pool_warned",
      "user_limited",     "agent_leased",    "allocator_rules",      "session_began",
      "lines_lost",       "agent_trouble"};
  return kNames[trace.index()];
}

UserLimited user_note(const UserLimit& user) { return {user.name, false, user.max_running}; }

bool is_note(const Trace& trace) {
  return std::holds_alternative<PoolChanged>(trace) || std::holds_alternative<FrameworkRules>(trace) ||
         std::holds_alternative<JobQueued>(trace) || std::holds_alternative<TaskQueued>(trace) ||
         std::holds_alternative<FrameworkAdded>(trace) || std::holds_alternative<PoolWarned>(trace) ||
         std::holds_alternative<UserLimited>(trace) || std::holds_alternative<AgentLeased>(trace) ||
         std::holds_alternative<AllocatorRules>(trace) || std::holds_alternative<SessionBegan>(trace) ||
         std::holds_alternative<LinesLost>(trace);
}

}  // namespace proffer
