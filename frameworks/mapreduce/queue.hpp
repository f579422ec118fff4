// Jobs coming and going, and what is due after each callback and at each deadline.
#pragma once

#include <optional>

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// For event logs: by what rules jobs and offers are chosen.
void tell_rules(const Turn& turn);
/// To be called after every callback: ends and begins jobs that are to, tells the observer, and stops when
/// all is done.
void settle(const Turn& turn);
/// When deadline() has something to do.
std::optional<Time> next_deadline(const State& state);
void deadline(const Turn& turn);

}  // namespace proffer::mapreduce
