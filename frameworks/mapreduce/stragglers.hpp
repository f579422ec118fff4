// The choice of the running map of a job that deserves a backup: the one with the longest time to its end, as
// far as that can be told (LATE, OSDI 2008, §4; SEMANTICS §8).
//
// Nobody reports how far an attempt is. It is expected to take the median of its job's maps that have ended,
// times the pace of its agent; once it has outrun that, it is believed to be half done.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "frameworks/mapreduce/agent_pace.hpp"
#include "proffer/frameworks/speculation.hpp"

namespace proffer::mapreduce {

/// A map's only attempt.
struct RunningMap {
  std::uint32_t index = 0;
  AgentId agent;
  Time since{};  ///< the time of its launch
};

/// The stragglers among a job's running maps, at an instant.
struct Straggling {
  /// The straggler with the longest time to its end; none: there is none.
  std::optional<std::uint32_t> worst;
  /// The time at which one of the others becomes a straggler, if none of them ends.
  std::optional<Time> next;
};

/// Tells the stragglers among `running`: maps that have run for `rules.after`, are slow, and would end later
/// than a backup that began now on an agent of the usual pace. `usual`: the median of the job's maps that
/// have ended, above 0.
Straggling find_stragglers(std::span<const RunningMap> running, Duration usual, const AgentPace& pace,
                           const Speculation& rules, Time now);

}  // namespace proffer::mapreduce
