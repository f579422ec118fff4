// The localities of a job's running tasks, as far as a policy can know: it sees launches, and how many tasks
// run.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "proffer/frameworks/policy.hpp"
#include "proffer/topology.hpp"

namespace proffer::policies {

/// The levels of a job's last launches, as many as it runs: exact while its tasks end in the order in which
/// they were launched.
class RecentLaunches {
 public:
  /// Notes a launch. `running`: the job's tasks that run, this one included.
  void launched(Locality locality, std::int64_t running) {
    last_.push_back(locality);
    ++count(locality);
    while (static_cast<std::int64_t>(last_.size()) > running) {
      --count(last_.front());
      last_.pop_front();
    }
  }
  /// Returns how many of these launches were at that level or nearer.
  std::int64_t within(Locality locality) const {
    std::int64_t sum = 0;
    for (std::size_t level = 0; level <= static_cast<std::size_t>(locality); ++level) sum += counts_[level];
    return sum;
  }

 private:
  std::int64_t& count(Locality locality) { return counts_[static_cast<std::size_t>(locality)]; }

  std::deque<Locality> last_;
  std::array<std::int64_t, 3> counts_{};
};

/// The slots that a job runs at some level or nearer, and those that it is due: min(its fair share, its
/// demand).
struct Due {
  std::int64_t near = 0;
  std::int64_t due = 1;

  bool half_is_near() const { return 2 * near >= due; }
  /// Returns how many slots the job leaves to others, or idle, by taking nothing farther; at least 1.
  std::int64_t held_back() const { return std::max<std::int64_t>(1, due - near); }
};

/// Returns what a job is due of which `running` tasks run. Its fair share is its part of `fair`, the
/// framework's, by the weights and promises of the job's pools, and 1 at least.
Due due_of(const RecentLaunches& launches, JobId job, Kind kind, const Candidates& jobs, std::int64_t running,
           std::int64_t fair, Locality locality);

}  // namespace proffer::policies
