// The deadlines that tell silent peers from live ones, and the heartbeats to them.
#pragma once

#include <cstdint>
#include <optional>

#include "allocator/state/silence_brake.hpp"
#include "allocator/tables/indices.hpp"
#include "allocator/tables/timer_heap.hpp"
#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

/// Invariant: a deadline of an agent or a framework counts only while it is the one in the record of the
/// agent or framework (check_silence_at, give_up_at, kill_at); others in the heaps are void.
struct PeerTimers {
  TimerHeap<AgentIndex> agents;          ///< the silence of an agent is judged
  TimerHeap<FrameworkIndex> frameworks;  ///< the silence of a connected framework is judged
  TimerHeap<FrameworkId> give_ups;       ///< the failover timeout of a disconnected framework is over
  TimerHeap<AgentIndex> drains;          ///< the tasks of an agent that is drained are killed
  SilenceBrake brake;                    ///< says whether silent agents may be given up
  std::uint64_t beats = 0;               ///< rounds of HEARTBEAT so far
  std::optional<Time> next_beat;         ///< none: there is nobody to send one to
  /// No framework is given up for a lost connection before this time: the allocator itself did not run for a
  /// while, for which its peers may have cut the connection.
  Time forgiving_until = Time::min();
};

}  // namespace proffer::allocator
