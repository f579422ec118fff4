// Tasks that a registering agent lists: those of former lives of the allocator are adopted, those that nobody
// wants are killed, and what is missing from the list has ended.
#pragma once

#include <map>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

using Listed = std::map<LaunchId, const AgentTask*>;
Listed list(const Register& message);

/// Returns whether a task of an agent's list is taken up: it was launched in a former life of the allocator,
/// and its framework is known and has not heard of its end.
bool is_adopted(const State& state, const AgentTask& listed);
/// Takes up the tasks that is_adopted() names. `unreachable`: the frameworks may have been told that their
/// agent is out of reach, so each is told that it is back.
void adopt(const Turn& turn, AgentRecord& agent, const Listed& listed, bool unreachable);
/// Takes up the task of a status that the agent could not list any more, since it lists the newest ends only.
void adopt(const Turn& turn, AgentRecord& agent, const Status& message);

/// Finds the tasks that the agent runs and nobody wants: they are killed, and take their slots until they
/// have ended.
void sort_out_strays(const State& state, AgentRecord& agent, const Listed& listed);
/// Compares the tasks that the agent lists with those in the records.
void reconcile(const Turn& turn, AgentRecord& agent, const Listed& listed);

}  // namespace proffer::allocator
