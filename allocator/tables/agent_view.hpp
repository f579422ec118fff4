// The tasks that the allocator believes to live on an agent, as a sum that is kept up to date, and how it
// compares with what the agent says in its heartbeats.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "proffer/messages/framework.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

inline void add_task(TaskDigest& digest, std::uint64_t hash) {
  ++digest.count;
  digest.hash ^= hash;
}
inline void remove_task(TaskDigest& digest, std::uint64_t hash) {
  --digest.count;
  digest.hash ^= hash;
}

class AgentView {
 public:
  TaskDigest tasks;

  /// Compares with what a heartbeat says. Returns true when the views have differed three times in a row, so
  /// that the agent should list its tasks again: 10 s after the last time at the earliest, and twice as late
  /// each time that listing them was no help.
  bool differs(const TaskDigest& said, Time now) {
    if (said == tasks) {
      in_a_row_ = 0;
      pause_ = kFirstPause;
      return false;
    }
    if (++in_a_row_ < kInARow || now < not_before_) return false;
    in_a_row_ = 0;
    not_before_ = now + pause_;
    pause_ = std::min(2 * pause_, kLongestPause);
    return true;
  }
  /// Begins anew, with the list that the agent has sent.
  void begin() {
    tasks = {};
    in_a_row_ = 0;
  }

 private:
  static constexpr int kInARow = 3;
  static constexpr Duration kFirstPause = std::chrono::seconds(10);
  static constexpr Duration kLongestPause = std::chrono::minutes(10);

  int in_a_row_ = 0;
  Duration pause_ = kFirstPause;
  Time not_before_ = Time::min();
};

}  // namespace proffer::allocator
