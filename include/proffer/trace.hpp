// The lines of an event log: one a decision. Metrics, logs, reports and the digest of a run are all derived
// from these, and from nothing else. Names of traces stand in formats/fields/trace.hpp. Event logs have the
// names and digests hash them, so to rename a trace moves digests; to add one, or to change their order here,
// does not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/decline_reason.hpp"
#include "proffer/ids.hpp"
#include "proffer/one_of.hpp"
#include "proffer/pool.hpp"
#include "proffer/resources.hpp"
#include "proffer/result.hpp"
#include "proffer/task_state.hpp"
#include "proffer/time.hpp"
#include "proffer/topology.hpp"

namespace proffer {

// ---- decisions of the allocator ----

struct AgentRegistered {
  AgentId agent;
  std::string name;
  std::string rack;
  Resources slots;
};

struct AgentLost {
  AgentId agent;
  std::string why;
};

struct FrameworkSubscribed {
  FrameworkId framework;
  std::string name;
  std::string pool;
};

/// The session of a framework ended; `removed`: the framework is given up as well.
struct FrameworkLost {
  FrameworkId framework;
  bool removed = false;
  std::string why;
};

/// An operator moved a framework into another pool.
struct FrameworkMoved {
  FrameworkId framework;
  std::string pool;
};

struct DemandChanged {
  FrameworkId framework;
  Kind kind;
  std::int64_t demand = 0;  ///< -1: unbounded
};

struct OfferMade {
  OfferId offer;
  FrameworkId framework;
  AgentId agent;
  Resources resources;
};

struct OfferAccepted {
  OfferId offer;
  FrameworkId framework;
  std::uint32_t tasks = 0;  ///< tasks launched on the offer
  Duration held{};
};

struct OfferDeclined {
  OfferId offer;
  FrameworkId framework;
  AgentId agent;
  DeclineReason reason = DeclineReason::other;
  Duration held{};
  std::int64_t refuse_for_us = 0;  ///< -1: until REVIVE
};

struct OfferRescinded {
  OfferId offer;
  FrameworkId framework;
};

struct OfferExpired {
  OfferId offer;
  FrameworkId framework;
};

struct TaskLaunched {
  FrameworkId framework;
  TaskId task;
  LaunchId launch;
  AgentId agent;
  Resources resources;
};

/// A change of a task's state that the allocator learned of or decided.
struct TaskChanged {
  FrameworkId framework;
  TaskId task;
  AgentId agent;
  TaskState state = TaskState::pending;
  TaskReason reason = TaskReason::none;
};

/// A pool has been below its min share, or far below its fair share, for too long and by no choice of its
/// own. A pool of the allocator, or (in a framework's log) one of the framework's own pools of jobs.
struct PoolStarved {
  std::string pool;
  Kind kind;
  std::int64_t used = 0;
  std::int64_t target = 0;  ///< units that the pool should have at least
};

/// Slots that a framework has to give back for a starved pool. `enforced`: the framework was told; else this
/// line is all.
struct SlotsPreempted {
  FrameworkId framework;
  std::string pool;
  Kind kind;
  std::int64_t slots = 0;
  bool enforced = false;
};

// ---- notes of the allocator ----

/// The way the allocator offers from now on.
struct AllocatorRules {
  Duration offer_timeout{};
  Duration report_period{};  ///< 0: free slots are offered at once; else with the reports of their agent
};

/// A framework that the allocator did not know; framework_subscribed follows.
struct FrameworkAdded {
  FrameworkId framework;
  std::string user;
  std::string priority;  ///< one of kPriorities
};

/// Settings of a pool that cannot be kept, or that have no effect.
struct PoolWarned {
  std::string pool;  ///< empty: the root, or all of them
  std::string why;
};

/// A lease: from now on an agent belongs to one pool alone; `returned`: the agent belongs to nobody again.
struct AgentLeased {
  AgentId agent;
  std::string pool;
  bool returned = false;
};

// ---- notes of the allocator and of frameworks ----

/// The settings of a pool from now on. A pool of the allocator, or (in a framework's log) one of the
/// framework's own pools of jobs. `removed`: there is no pool of that name any more.
struct PoolChanged {
  std::string pool;
  bool removed = false;
  std::int64_t weight_milli = 1000;
  Resources min_share;
  std::string order;  ///< one of kPoolOrders
  std::uint32_t max_running = 0;
  std::uint32_t max_running_per_user = 0;
  /// Racks (and agents) whose slots it may be offered; both lists empty: all.
  std::vector<std::string> racks;
  std::vector<std::string> agents;
  std::uint32_t user_limit = kNoUserLimit;  ///< percent
  std::uint32_t private_agents = 0;  ///< agents that its frameworks have for themselves while they want slots
};

/// The limit, from now on, of a user's frameworks, or of a user's jobs in a framework, that may run at once.
/// `removed`: the limit is that of any other user.
struct UserLimited {
  std::string user;
  bool removed = false;
  std::uint32_t max_running = 0;  ///< 0: no limit
};

// ---- decisions of a framework ----

struct JobSubmitted {
  JobId job;
  std::string name;
  std::uint32_t maps = 0;
  std::uint32_t reduces = 0;
};

/// The policy chose a task for a slot.
struct TaskPlaced {
  JobId job;
  TaskId task;
  AgentId agent;
  Kind kind;
  Locality locality = Locality::any;
  bool preferred = false;  ///< the task had a preference
  Duration waited{};       ///< the wait of its job, or 0 for policies that count otherwise
};

struct JobFinished {
  JobId job;
  bool ok = true;
  std::string why;
};

/// An operator moved a job into another pool of its framework's own.
struct JobMoved {
  JobId job;
  std::string pool;
};

/// A framework ends a task of its own for a pool of its jobs that starves (pool_starved). `enforced`: the
/// task is ended; else the framework only says so.
struct TaskPreempted {
  JobId job;
  TaskId task;
  Kind kind;
  std::string pool;  ///< the starved pool
  bool enforced = false;
};

/// A framework has gathered slots for a rigid job, did not get enough in time, and lets them go. The job
/// pauses before slots are gathered for it again.
struct GatheredTooFew {
  JobId job;
  Kind kind;
  std::int64_t wanted = 0;  ///< slots that the job needs at once
  std::int64_t held = 0;    ///< slots that there were
  Duration pause{};
};

// ---- notes of a framework ----

/// The rules by which a framework chooses, written before its first job.
struct FrameworkRules {
  std::string policy;                  ///< "wait,node_wait=5s"
  std::uint32_t max_running_jobs = 0;  ///< 0: no limit
};

/// A job came to its framework; job_submitted says when it begins.
struct JobQueued {
  JobId job;
  std::string name;
  std::string pool;
  std::string user;
  std::string priority;           ///< one of kPriorities
  std::vector<JobId> after = {};  ///< the jobs that must have succeeded before it begins
  Duration deadline{};            ///< the time within which it is to be done, from now on; 0: none
};

/// A task waits for a slot from now on.
struct TaskQueued {
  JobId job;
  TaskId task;
  Kind kind;
  std::vector<AgentId> prefers;  ///< empty: the task has no preference
  TaskId backs_up = {};          ///< the attempt that runs, of which this one is the backup; empty: none
};

/// The id under which the allocator knows the framework that writes this log. Names need not be unique:
/// without this line, the log's lines could be taken for another framework's.
struct SessionBegan {
  FrameworkId framework;
};

// ---- events of an agent ----

struct RunBegan {
  LaunchId launch;
  TaskId task;
};

/// A reduce has copied all its input, and computes.
struct ComputeBegan {
  LaunchId launch;
  TaskId task;
};

struct RunEnded {
  LaunchId launch;
  TaskId task;
  ExitStatus exit;
};

/// An agent that cannot do its work, or that an operator drains, so that its slots are offered to nobody.
/// `why` empty: they are again.
struct AgentTrouble {
  AgentId agent;
  std::string why;
};

/// So many agents are silent that the allocator suspects itself, and gives none of them up. `why` empty: that
/// is over.
struct ClusterDegraded {
  std::string why;
};

// ---- decisions of the catalog ----

struct FileChanged {
  std::string path;
  std::string what;  ///< created, completed, renamed, removed
};

struct ReplicaChanged {
  BlockId block;
  AgentId agent;
  bool present = true;
};

/// The catalog wants a further replica of a block in demand. `factor` and `mean` are DSBRA's RF and GAvg, in
/// millionths (of DARE: the number of recent reads of the block, in thousandths, and 0).
struct CopyDecided {
  BlockId block;
  std::uint64_t bytes = 0;
  AgentId from;  ///< the agent that is asked first
  AgentId to;
  std::int64_t factor = 0;
  std::int64_t mean = 0;
  std::string why;
};

/// The catalog no longer wants one of the replicas of a block; fields as in CopyDecided.
struct DropDecided {
  BlockId block;
  std::uint64_t bytes = 0;
  AgentId agent;
  std::int64_t factor = 0;
  std::int64_t mean = 0;
  std::string why;
};

/// The end of a copy.
struct CopyEnded {
  BlockId block;
  std::uint64_t bytes = 0;
  AgentId agent;  ///< the agent that should hold the copy
  bool ok = true;
  std::string why;
};

/// The bytes that the store takes: `base` with as many replicas as the files' writers wanted, and `extra`
/// beyond these, copies under way included.
struct StorageCounted {
  std::uint64_t base = 0;
  std::uint64_t extra = 0;
};

// ---- lines of every machine ----

struct MessageRefused {
  std::string type;
  ErrorCode code = ErrorCode::invalid;
  std::string why;
};

/// The number of this program's lines that are missing before this one, since they could not be written.
struct LinesLost {
  std::uint64_t lines = 0;
  std::string why;
};

/// One trace. The order of the alternatives is of no matter: event logs and digests have their names.
struct TraceSet {
  using variant =
      std::variant<AgentRegistered, AgentLost, FrameworkSubscribed, FrameworkLost, FrameworkMoved,
                   DemandChanged, OfferMade, OfferAccepted, OfferDeclined, OfferRescinded, OfferExpired,
                   TaskLaunched, TaskChanged, PoolStarved, SlotsPreempted, AllocatorRules, FrameworkAdded,
                   PoolWarned, AgentLeased, PoolChanged, UserLimited, JobSubmitted, TaskPlaced, JobFinished,
                   JobMoved, TaskPreempted, GatheredTooFew, FrameworkRules, JobQueued, TaskQueued,
                   SessionBegan, RunBegan, ComputeBegan, RunEnded, AgentTrouble, ClusterDegraded, FileChanged,
                   ReplicaChanged, CopyDecided, DropDecided, CopyEnded, StorageCounted, MessageRefused,
                   LinesLost>;
  static constexpr bool comparable = false;
};
using Trace = OneOf<TraceSet>;

/// The limit of a user, as an event log has it.
UserLimited user_note(const UserLimit& user);
/// Returns whether a line tells no decision, but only what one needs to understand decisions: such a line is
/// in event logs, and in no digest.
bool is_note(const Trace& trace);

}  // namespace proffer
