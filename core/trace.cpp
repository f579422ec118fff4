#include "proffer/trace.hpp"

#include "core/one_of.hpp"

namespace proffer {

PROFFER_ONE_OF(TraceSet);

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
