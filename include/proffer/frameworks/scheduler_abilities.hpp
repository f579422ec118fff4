// Optional bases of a scheduler: callbacks that only some schedulers need. A class that derives from
// Scheduler derives from those that it needs as well; the session finds them once, when it is made.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "proffer/frameworks/scheduler.hpp"

namespace proffer {

/// Hears of its session, as a scheduler must that keeps offers from one callback to another.
class FollowsSession {
 public:
  virtual ~FollowsSession();
  /// A session is open (again). Another framework id than before: the allocator had given up the former
  /// framework; its tasks were reported LOST (reason framework_gone) and their outputs are no more.
  virtual void subscribed(Driver&, const Subscribed&) {}
  /// All outstanding offers are void.
  virtual void disconnected(Driver&) {}
  virtual void offers_rescinded(Driver&, std::span<const OfferId>) {}
};

struct HeldTask {
  TaskId task;
  std::int64_t slots = 0;  ///< the number of slots of the kind in question that the task takes; above 0
};

/// Returns the newest tasks that take at least `slots` together; all, when there are not enough.
std::vector<TaskId> newest_victims(std::int64_t slots, std::span<const HeldTask> newest_first);

/// Chooses which of its tasks die when the allocator wants slots back. For a scheduler without this base the
/// newest_victims() die.
class ChoosesVictims {
 public:
  virtual ~ChoosesVictims();
  /// Returns the tasks that are to die for `slots` slots of a kind, of those of the kind that run, newest
  /// first. The session kills them. More than asked for may be named, or fewer: what is missing at the
  /// deadline the allocator kills, newest first.
  virtual std::vector<TaskId> choose_victims(Driver& driver, Kind kind, std::int64_t slots,
                                             std::span<const HeldTask> newest_first) = 0;
};

/// Hears what its tasks say while they run.
class HearsTasks {
 public:
  virtual ~HearsTasks();
  virtual void task_said(Driver& driver, const TaskId& task, const std::string& payload) = 0;
};

/// Asks the catalog (Driver::ask_catalog, Driver::tell_catalog).
class UsesCatalog {
 public:
  virtual ~UsesCatalog();
  /// BlockAllocated, FilesListed or CatalogDone; a CatalogDone with `unreachable` when the catalog was lost
  /// first.
  virtual void catalog_answered(Driver& driver, const Message& answer) = 0;
  /// Replicas of blocks that were listed have come or gone.
  virtual void replicas_changed(Driver&, const ReplicasChanged&) {}
};

/// A task that a former process of the framework asked for, as that process knew it.
struct ResumedTask {
  TaskId task;
  AgentId agent;
  Resources resources;
  TaskState state = TaskState::pending;  ///< the newest that its scheduler was told
};

/// Goes on with what a former process of the framework had begun. Tasks of a former process are killed where
/// the scheduler is without this base.
class Resumes {
 public:
  virtual ~Resumes();
  /// Called once, first of all callbacks, in a process that has records of a former one. `tasks`: in order of
  /// asking, also those that ended within the last 10 minutes; what has become of the others meanwhile is
  /// told by status_update(), and those that were never started end as DROPPED. `notes`: those of
  /// Driver::keep(). A status may come that the former process had handled, if it had no time to say so; of a
  /// task that never ran it may then be another end, DROPPED where that process had heard of REJECTED.
  virtual void resumed(Driver& driver, std::span<const ResumedTask> tasks,
                       const std::map<std::string, std::string>& notes) = 0;
};

/// Lets operators kill and move its jobs, which are found as the operator names them: by name or number.
/// Without this base both are refused.
class ChangesJobs {
 public:
  virtual ~ChangesJobs();
  /// Kills a job. Returns what is done about it, a sentence; or an error that says why nothing is.
  virtual Result<std::string> kill_job(Driver& driver, const KillJob& kill) = 0;
  /// Puts a job into another of the framework's own pools. Returns as kill_job does.
  virtual Result<std::string> move_job(Driver& driver, const MoveJob& move) = 0;
};

/// Takes detached jobs. Without this base they are refused.
class TakesJobs {
 public:
  virtual ~TakesJobs();
  /// Takes a job. Returns what is done about it, a sentence; or an error that says why nothing is.
  virtual Result<std::string> submit_job(Driver& driver, const SubmitJob& job) = 0;
  virtual Result<std::vector<DetachedJob>> describe_jobs(Driver& driver, const DescribeJobs& wanted) = 0;
};

}  // namespace proffer
