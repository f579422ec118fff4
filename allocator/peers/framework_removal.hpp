// How frameworks go: their session ends; they are given up; they are gone when their last task has ended.
#pragma once

#include <string>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Its offers are void and it gets no more; its tasks live on for its failover timeout. Without one it is
/// given up at once, unless we ourselves did not run until a moment ago: then it has as long as a silent one
/// to come back, since the connection may have been cut for our own silence.
void end_session(const Turn& turn, FrameworkRecord& framework, const std::string& why);
/// Its tasks are killed, and it is gone once they have ended. `framework` may be gone afterwards.
void give_up(const Turn& turn, FrameworkRecord& framework, const std::string& why);
/// False when nobody's failover timeout is over.
bool give_up_one(const Turn& turn);
/// Drops deadlines that are void.
void settle_give_ups(State& state);

}  // namespace proffer::allocator
