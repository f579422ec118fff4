// The backups of a framework's maps, those that wait for a slot and those that run: how many there may be,
// and which jobs are to be looked at for further ones, and when.
//
// Invariant: a job that waits for room is not looked at at any time of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "proffer/frameworks/speculation.hpp"
#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::mapreduce {

class Backups {
 public:
  explicit Backups(const Speculation& rules) : rules_(rules) {}

  const Speculation& rules() const { return rules_; }
  /// Notes that an attempt at a map of that job was launched.
  void launched(JobId job);
  /// Notes that such an attempt, perhaps a backup, has ended.
  void ended(JobId job, const TaskId& attempt);
  /// Notes that a backup waits for a slot.
  void opened(const TaskId& backup) { backups_.insert(backup); }
  /// Notes that a backup that waited was taken back; no effect for other attempts.
  void closed(const TaskId& backup);
  /// True when there may be one more.
  bool has_room() const;

  /// Has the job looked at as soon as may be: its maps, or what is known of them, have changed.
  void look_now(JobId job);
  void look_at(JobId job, Time at);
  /// Has the job looked at once there is room again.
  void wait_for_room(JobId job);
  /// The time at which take_due() has something; none: never.
  std::optional<Time> next() const;
  /// Takes out a job that is to be looked at by now; none while there is none.
  std::optional<JobId> take_due(Time now);

  std::size_t count() const { return backups_.size(); }
  bool contains(const TaskId& attempt) const { return backups_.contains(attempt); }
  void check_invariants() const;

 private:
  Speculation rules_;
  std::set<TaskId> backups_;
  std::map<JobId, Time> looks_;
  std::set<JobId> no_room_;
  std::int64_t running_ = 0;  ///< attempts at maps
  std::int64_t most_ = 0;     ///< the most of them at once, since none ran
};

}  // namespace proffer::mapreduce
