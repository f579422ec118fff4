// The coming and going of jobs, and what is due after each callback and at each deadline.
#pragma once

#include <optional>

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// Tells event logs by what rules jobs and offers are chosen.
void tell_rules(const Turn& turn);
/// Settles what a callback has brought about, and is called after every one: ends and begins jobs that are
/// to, tells the observer, and stops when all is done.
void settle(const Turn& turn);
/// The time at which deadline() has something to do; none: never.
std::optional<Time> next_deadline(const State& state);
void deadline(const Turn& turn);

}  // namespace proffer::mapreduce
