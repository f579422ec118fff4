// Frameworks that go: the session ends; the framework is given up; it is gone when its last task has ended.
#pragma once

#include <string>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Ends the session of a framework: its offers are void and it gets no more; its tasks live on for its
/// failover timeout. Without a timeout it is given up at once, unless this process did not run until a moment
/// ago: then the framework has as long as a silent one to come back, since it may have cut the connection for
/// the allocator's own silence.
void end_session(const Turn& turn, FrameworkRecord& framework, const std::string& why);
/// Gives up a framework: its tasks are killed, and it is gone once they have ended. `framework` may be gone
/// afterwards.
void give_up(const Turn& turn, FrameworkRecord& framework, const std::string& why);
/// Gives up the framework whose failover timeout is over. Returns false when there is none.
bool give_up_one(const Turn& turn);
/// Drops void deadlines, so that nobody is woken for them.
void settle_give_ups(State& state);

}  // namespace proffer::allocator
