// The unlaunched tasks of a framework's jobs, indexed by node and rack, and what runs; jobs in the order of a
// fair-share tree of their own, the same as the allocator's over frameworks (sharing/share_tree.hpp).
// A helper for frameworks with locality, and the Candidates and the TaskView of their policies.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proffer/frameworks/job_sharing.hpp"
#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/frameworks/scheduler_abilities.hpp"
#include "proffer/preemption.hpp"
#include "proffer/sharing/pool.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer {

/// A task waiting for a slot. `nodes` are the agents it prefers, `racks` theirs; both empty: no preference.
struct PendingTask {
  TaskId id;
  Kind kind;
  std::vector<AgentId> nodes;
  std::vector<std::string> racks;
  std::uint64_t bytes = 0;  ///< size of its input, for policies that weigh it; 0: nobody said
  Time since{};             ///< the time at which it began to wait
};

/// A task that the pool has launched.
struct Placement {
  JobId job;
  TaskId task;
  Locality locality = Locality::any;
  bool preferred = false;
  Duration waited{};
};

/// A job's place among the others.
struct JobPlace {
  std::string pool = {};  ///< dotted; empty: none
  std::string user = {};
  Priority priority = Priority::normal;
  /// The job takes slots of that kind for all of its unlaunched tasks at once, or none. Tasks that run are
  /// not looked at: who adds a task without which they are of no use has to kill them. None: it is not rigid.
  std::optional<Kind> rigid = {};
  /// The bulk resources that each of its tasks of the kind `cpus` takes; some cpus among them.
  Resources need = {};
  Time due = Time::max();  ///< the time by which it is to be done; counts in a pool of order `deadline`
};

/// A pool of jobs that has been short of slots for too long, and whose tasks end for it.
struct StarvedPool {
  struct Victim {
    JobId job;
    TaskId task;
  };
  std::string pool;
  Kind kind;
  std::int64_t used = 0;
  std::int64_t target = 0;  ///< slots that it should have at least
  std::vector<Victim> victims = {};
  bool enforced = false;  ///< true: the victims end; false: it is only said that they would
};

/// Returns whether these may be the pools of jobs within a framework: else an error as of
/// ShareTree::declare_pool, and `invalid` for a timeout of 0 as well.
Result<> check_pools(const std::vector<PoolSpec>& pools);

class TaskPool final : public Candidates, public TaskView {
 public:
  explicit TaskPool(const JobSharing& sharing = {});
  ~TaskPool() override;

  /// Adds a job after all others. A pool that there is not counts as none.
  void add_job(JobId job, std::string name, const JobPlace& place = {});
  bool has_pool(std::string_view name) const;
  /// Sets the number of slots that the framework is entitled to now: limits of users (PoolSpec::user_limit)
  /// and dominant shares go by it.
  void entitle(Kind kind, std::int64_t slots);
  /// Moves a job, with all it runs and has, into a pool that there is; the pool's limits count for it from
  /// now on.
  void move_job(JobId job, std::string_view pool);
  /// Notes that a job has ended, though tasks of it may still run: it counts towards no limit of its pool any
  /// more.
  void retire_job(JobId job);
  /// Removes a job. Aborts unless its tasks have ended or been removed.
  void remove_job(JobId job);
  /// Returns what a task of the job takes: a slot of the kind, or the bulk resources that the job named.
  Resources need(JobId job, Kind kind) const;
  /// Return the most, and the least, of each bulk kind that an unlaunched task takes.
  Resources largest_need() const;
  Resources least_need() const;
  /// Returns so much of the room as holds `tasks` tasks of the kind at most, whatever jobs they are of, or
  /// the largest one.
  Resources trimmed(Resources room, Kind kind, std::int64_t tasks) const;
  /// Returns the offer with bulk resources as the number of tasks for which there are cpus, as policies count
  /// slots.
  Offer in_tasks(Offer offer) const;
  /// Adds an unlaunched task. Aborts when the job has one of that id.
  void add(JobId job, PendingTask task);
  /// Takes back an unlaunched task; none when there is none of that id.
  std::optional<PendingTask> remove(JobId job, const TaskId& task);
  /// Has an unlaunched task prefer other places than before; true when a node is among them that it did not
  /// prefer: offers should be revived (OfferAnswer::tasks_added).
  bool prefer(JobId job, Kind kind, const TaskId& task, std::vector<AgentId> nodes,
              std::vector<std::string> racks);
  /// Has tasks of the job and kind without places of their own prefer these agents from now on, also those
  /// that are added later: what is near is a matter of the job then, not of its input. True as for prefer().
  bool prefer_all(JobId job, Kind kind, std::vector<AgentId> nodes);
  /// Adds a task that a former process has launched, as the newest of those that run.
  void adopt(JobId job, Kind kind, const TaskId& task, AgentId agent, Time now);
  /// Ends a launched task, which may count on in the order for a while (JobSharing::commit_time), and returns
  /// what was known of it. Aborts when it does not run.
  RunningTask ended(JobId job, Kind kind, const TaskId& task, Time now);

  /// Returns whether a job may take no slot of a kind on an agent now, whatever tasks it has. `placed` is the
  /// number of its tasks that the fill() under way has placed on that agent, which nobody else knows of yet.
  /// Must be followed by a REVIVE when it turns from true to false.
  using Barred = std::function<bool(JobId, Kind, AgentId, std::size_t placed)>;
  void bar(Barred barred);

  // Rigid jobs: their slots are gathered before fill() gets to see them.

  /// The first job in order that has tasks to launch, if it is rigid in that kind; rigid ones that may not
  /// are passed over.
  std::optional<JobId> first_rigid(Kind kind, const std::function<bool(JobId)>& may) const;
  /// Has fill() launch tasks of that job only, whatever it is barred from; none: of all jobs that are not
  /// rigid, as at first.
  void fill_only(std::optional<JobId> job);

  /// The reason for which the rest of an offer was passed over.
  struct Rest {
    DeclineReason reason = DeclineReason::no_pending_task;
    /// Nobody may take it before something changes here: there is no task, or all jobs are barred.
    bool until_revived = false;
    /// Some job would look at it, if only there were more of it.
    bool until_larger = false;
  };
  /// Fills an offer task by task with `policy`, as far as `left` has room for tasks of the kind, and takes
  /// what they need from it. Appends placements; returns what became of the rest (none when nothing of the
  /// kind is left).
  std::optional<Rest> fill(const Offer& offer, Kind kind, Resources& left, Policy& policy, Time now,
                           std::vector<Placement>& placements);

  /// Notes that slots of the kind are revived: those that were refused count as not refused.
  void revived(Kind kind, Time now);

  /// True when a job had to wait under a limit of its pool or user and need not any more, since the last
  /// call: a reason to REVIVE.
  bool take_admitted();

  /// The slots that all jobs want: unlaunched + running; of jobs that wait under a limit, running only.
  std::int64_t demand(Kind kind) const;

  // Pools of jobs that starve. Nothing of it has an effect where no pool has a time after which it starves.

  /// Notes which pools are short now. To be called whenever tasks have come, were launched or have ended.
  void watch_shares(Time now);
  /// The time at which a pool will have been short for too long; none: at no known time.
  std::optional<Time> next_starved() const;
  /// Takes a pool that has been short for too long; it comes up again if that goes on. Its victims count as
  /// gone, where it is `enforced`: the caller has them killed. While preemption is off there are none.
  std::optional<StarvedPool> take_starved(Time now);

  /// Chooses tasks to end when the framework has to give up so many slots: those of pools and jobs
  /// that would have more than their fair share of the rest. Perhaps fewer.
  std::vector<TaskId> choose_losses(Kind kind, std::int64_t slots, std::span<const HeldTask> newest_first);

  /// Pools whose min shares come to more than `slots`, which the framework is entitled to
  /// (ShareTree::warnings).
  std::vector<ShareTree::Warning> broken_promises(Kind kind, std::int64_t slots) const;

  std::span<const JobId> in_order(Kind kind) const override;
  bool has_preferences(JobId job, Kind kind) const override;
  std::optional<Locality> nearest(JobId job, Kind kind, const AgentInfo& agent) const override;
  std::int64_t unlaunched(JobId job, Kind kind) const override;
  std::int64_t running(JobId job, Kind kind) const override;
  std::int64_t preferred_agents(JobId job, Kind kind) const override;
  void each_waiting(JobId job, Kind kind, const AgentInfo& agent, Locality within, std::size_t most,
                    const std::function<void(const WaitingTask&)>& visit) const override;
  void each_running(Kind kind, const std::function<void(const RunningTask&)>& visit) const override;
  std::int64_t fair_share(JobId job, Kind kind, std::int64_t slots) const override;
  bool starved(JobId job, Kind kind) const override;

  void check_invariants() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer
