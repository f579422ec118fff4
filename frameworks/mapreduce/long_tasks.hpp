// Long-task balancing (Zaharia et al., Delay Scheduling, EuroSys 2010, §4.3): long tasks are spread over the
// nodes, so that no node's slots, and with them its data, are blocked for long by them alone; and so are the
// tasks of jobs that share a cached file, which otherwise all gather where it was kept first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "frameworks/mapreduce/spread.hpp"
#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::mapreduce {

/// A job is long while the mean time of its tasks that ended well is more than kLonger times the median over
/// the newest tasks of all jobs; a new one counts as long until kKnown of its tasks have ended.
class LongTasks {
 public:
  static constexpr std::int64_t kLonger = 3;
  static constexpr std::uint32_t kKnown = 3;
  /// The median is over so many of the newest tasks that ended.
  static constexpr std::size_t kRemembered = 1000;

  /// Notes that a job, none of whose tasks runs yet, uses that cached file; others may, too.
  void uses(JobId job, BlockId file);
  void launched(JobId job, AgentId agent);
  /// Notes that a launched task of the job is over; `took` zero: not well, or nobody knows for how long it
  /// ran.
  void ended(JobId job, AgentId agent, Duration took);
  /// Forgets a job none of whose tasks runs any more.
  void forget(JobId job);

  bool is_long(JobId job) const;
  /// Launched tasks of the job on that agent that have not ended.
  std::int64_t running(JobId job, AgentId agent) const;
  /// True when the job gets no further slot on that agent. A long job gets none there: with `placed` more,
  /// the agent runs more long tasks than the mean over `agents` agents. Nor does one that shares a cached
  /// file with another job, in the same way: where more tasks of jobs with that file run.
  bool crowded(JobId job, AgentId agent, std::size_t placed, std::size_t agents) const;
  void check_invariants() const;

 private:
  struct Job {
    std::uint32_t ended = 0;
    Duration took{};  ///< sum over the tasks that ended
    std::map<AgentId, std::int64_t> running;
    bool counted = true;  ///< true while the job's tasks are among those of long_
    std::set<BlockId> files;
  };
  struct File {
    std::size_t users = 0;  ///< jobs that use it
    Spread tasks;
    bool operator==(const File&) const = default;
  };
  Duration median() const;
  bool is_long(const Job& job) const;
  void count(const Job& job, AgentId agent, std::int64_t more);
  /// Settles anew which jobs are long: the median has moved.
  void count_anew();

  std::map<JobId, Job> jobs_;
  Spread long_;  ///< running tasks of long jobs: kept, since all jobs are asked for each slot
  std::map<BlockId, File> files_;
  std::deque<Duration> newest_;
  std::vector<Duration> sorted_;  ///< the same times
};

}  // namespace proffer::mapreduce
