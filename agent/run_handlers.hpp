// What becomes of the processes: started, said something, ended.
#pragma once

#include "agent/agent_parts.hpp"

namespace proffer {

void handle(AgentParts& state, const RunStarted& started, Turn turn);
void handle(AgentParts& state, const RunSaid& said, Turn turn);
void handle(AgentParts& state, const LeaveAsked& asked, Turn turn);
void handle(AgentParts& state, const RunExited& exited, Turn turn);

}  // namespace proffer
