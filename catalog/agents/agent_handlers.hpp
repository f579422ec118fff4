// Agents that say what they hold: full reports in pages, then numbered changes, heartbeats in between.
#pragma once

#include "catalog/state/turn.hpp"

namespace proffer::catalog {

/// A page of a full report; the first page without a session opens one.
void handle(const Turn& turn, const MessageReceived& in, const BlockReport& page);
void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const BlocksChanged& changed);
void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const Heartbeat& heartbeat);

/// Notes that a message of the agent's session has come; the replicas of an agent that was silent count
/// again.
void heard(const Turn& turn, AgentRecord& agent);

/// Asks the agent to report from the beginning: its changes have a gap, or its report has not come.
void ask_for_report(const Turn& turn, AgentRecord& agent);

/// Closes the agent whose connection is gone, if there is one.
void lose_agent(const Turn& turn, PeerId peer);

/// The answer to a message of an agent without a session.
Error unknown_session();

}  // namespace proffer::catalog
