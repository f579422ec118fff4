// Copies of blocks between agents that end: they arrive, fail, take too long, or are of no use any more.
#pragma once

#include "catalog/state/turn.hpp"

namespace proffer::catalog {

void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const CopyFailed& failed);

/// Ends the copy of a block that the agent says it holds now. False: no copy was under way there.
bool copy_arrived(const Turn& turn, AgentId agent, BlockId block);
/// Ends copies to an agent that knows nothing of them any more.
void forget_copies_to(const Turn& turn, AgentId agent, const char* why);
/// Ends copies of a block that belongs to no file any more, and forgets how it was used.
void forget_block(const Turn& turn, BlockId block);
/// Ends copies whose time is over; other agents may be tried.
void give_up_late_copies(const Turn& turn);

}  // namespace proffer::catalog
