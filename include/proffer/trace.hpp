// One line a decision. Metrics, logs, reports and the digest of a run are all derived from these, and from
// nothing else.
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

// ---- the allocator's ----
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
/// Its session ended; `removed`: the framework is given up as well.
struct FrameworkLost {
  FrameworkId framework;
  bool removed = false;
  std::string why;
};
struct DemandChanged {
  FrameworkId framework;
  Kind kind;
  std::int64_t demand = 0;  // -1: unbounded
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
  std::uint32_t tasks = 0;  // launched on it
  Duration held{};
};
struct OfferDeclined {
  OfferId offer;
  FrameworkId framework;
  AgentId agent;
  DeclineReason reason = DeclineReason::other;
  Duration held{};
  std::int64_t refuse_for_us = 0;  // -1: until REVIVE
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
/// Any change of state that the allocator learns of or decides.
struct TaskChanged {
  FrameworkId framework;
  TaskId task;
  AgentId agent;
  TaskState state = TaskState::pending;
  TaskReason reason = TaskReason::none;
};
/// A pool has been below its min share, or far below its fair share, for too long and by no choice of its
/// own: the allocator's, or (of a framework's) one of its jobs.
struct PoolStarved {
  std::string pool;
  Kind kind;
  std::int64_t used = 0;
  std::int64_t target = 0;  // what it should have at least
};
/// Slots that a framework has to give back for a starved pool. `enforced`: it was told; else this is all.
struct SlotsPreempted {
  FrameworkId framework;
  std::string pool;
  Kind kind;
  std::int64_t slots = 0;
  bool enforced = false;
};
struct MessageRefused {
  std::string type;
  ErrorCode code = ErrorCode::invalid;
  std::string why;
};

// ---- a framework's ----
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
  bool preferred = false;  // it had a preference
  Duration waited{};       // its job's wait, or 0 for policies that count otherwise
};
struct JobFinished {
  JobId job;
  bool ok = true;
  std::string why;
};

// ---- the agent's ----
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

// ---- the catalog's ----
struct FileChanged {
  std::string path;
  std::string what;  // created, completed, renamed, removed
};
struct ReplicaChanged {
  BlockId block;
  AgentId agent;
  bool present = true;
};

/// The catalog wants a further replica of a block in demand. `factor` and `mean` are DSBRA's RF and GAvg, in
/// millionths (of DARE: how often the block was read lately, in thousandths, and 0).
struct CopyDecided {
  BlockId block;
  std::uint64_t bytes = 0;
  AgentId from;  // who is asked first
  AgentId to;
  std::int64_t factor = 0;
  std::int64_t mean = 0;
  std::string why;
};
/// ... and wants one of its replicas no longer.
struct DropDecided {
  BlockId block;
  std::uint64_t bytes = 0;
  AgentId agent;
  std::int64_t factor = 0;
  std::int64_t mean = 0;
  std::string why;
};
/// What became of a copy.
struct CopyEnded {
  BlockId block;
  std::uint64_t bytes = 0;
  AgentId agent;  // where it should be
  bool ok = true;
  std::string why;
};
/// What the store takes in bytes: `base` with as many replicas as the files' writers wanted, and `extra`
/// beyond, copies under way included.
struct StorageCounted {
  std::uint64_t base = 0;
  std::uint64_t extra = 0;
};

// ---- what helps to explain decisions, and is none; see is_note() ----
/// A pool is set so from now on: the allocator's, or (of a framework's) one of its jobs. `removed`: there is
/// none of that name any more.
struct PoolChanged {
  std::string pool;
  bool removed = false;
  std::int64_t weight_milli = 1000;
  Resources min_share;
  std::string order;  // of kPoolOrders
  std::uint32_t max_running = 0;
  std::uint32_t max_running_per_user = 0;
  std::vector<std::string> racks;  // with `agents`: whom it may be offered; both empty: all
  std::vector<std::string> agents;
  std::uint32_t user_limit = kNoUserLimit;  // in percent
  std::uint32_t private_agents = 0;         // that its frameworks have for themselves while they want slots
};
/// How a framework chooses; before its first job.
struct FrameworkRules {
  std::string policy;                  // "wait,node_wait=5s"
  std::uint32_t max_running_jobs = 0;  // 0: no limit
};
/// A job came to its framework; job_submitted says when it begins.
struct JobQueued {
  JobId job;
  std::string name;
  std::string pool;
  std::string user;
  std::string priority;  // of kPriorities
};
/// A task waits for a slot from now on.
struct TaskQueued {
  JobId job;
  TaskId task;
  Kind kind;
  std::vector<AgentId> prefers;  // none: it has no preference
};

// ---- the allocator's, since ----
/// An operator moved it.
struct FrameworkMoved {
  FrameworkId framework;
  std::string pool;
};

// ---- a framework's, since ----
/// An operator moved it, into another pool of its framework's own.
struct JobMoved {
  JobId job;
  std::string pool;
};

/// For a pool of its jobs that starves (pool_starved) a framework ends a task of its own. `enforced`: it
/// does; else it only says so.
struct TaskPreempted {
  JobId job;
  TaskId task;
  Kind kind;
  std::string pool;  // for which
  bool enforced = false;
};

// ---- notes of the allocator's, since ----
/// A framework that it did not know; framework_subscribed follows.
struct FrameworkAdded {
  FrameworkId framework;
  std::string user;
  std::string priority;  // of kPriorities
};

/// What pools are set to that cannot be kept, or that nothing comes of.
struct PoolWarned {
  std::string pool;  // empty: the root, or all of them
  std::string why;
};

// ---- notes of the allocator's, and of frameworks, since ----
/// Of a user's frameworks, or of a framework's jobs of a user, so many may run from now on. `removed`: as
/// many as of any other user.
struct UserLimited {
  std::string user;
  bool removed = false;
  std::uint32_t max_running = 0;  // 0: no limit
};
/// An agent is that pool's alone from now on; `returned`: nobody's any more.
struct AgentLeased {
  AgentId agent;
  std::string pool;
  bool returned = false;
};
/// How it offers, from now on.
struct AllocatorRules {
  Duration offer_timeout{};
  Duration report_period{};  // 0: what is free is offered at once; else with the reports of its agent
};

// ---- a note of a framework's program, since ----
/// The allocator knows it as that. Names need not be unique: without this its lines could be another's.
struct SessionBegan {
  FrameworkId framework;
};

// ---- a note of any program that writes an event log, since ----
/// So many lines of this program's are missing before this one: they could not be written.
struct LinesLost {
  std::uint64_t lines = 0;
  std::string why;
};

// ---- of agents, and of the allocator, since ----
/// The agent cannot do its work, so its slots are offered to nobody. `why` empty: it can again.
struct AgentTrouble {
  AgentId agent;
  std::string why;
};

struct TraceSet {
  using variant =
      std::variant<AgentRegistered, AgentLost, FrameworkSubscribed, FrameworkLost, DemandChanged, OfferMade,
                   OfferAccepted, OfferDeclined, OfferRescinded, OfferExpired, TaskLaunched, TaskChanged,
                   MessageRefused, JobSubmitted, TaskPlaced, JobFinished, RunBegan, RunEnded, FileChanged,
                   ReplicaChanged, PoolStarved, SlotsPreempted, ComputeBegan, CopyDecided, DropDecided,
                   CopyEnded, StorageCounted, PoolChanged, FrameworkRules, JobQueued, TaskQueued,
                   FrameworkMoved, JobMoved, TaskPreempted, FrameworkAdded, PoolWarned, UserLimited,
                   AgentLeased, AllocatorRules, SessionBegan, LinesLost, AgentTrouble>;
  static constexpr bool comparable = false;
};
using Trace = OneOf<TraceSet>;

/// agent_registered, offer_made, ...
std::string_view trace_name(const Trace& trace);

/// The limit of a user, as an event log has it.
UserLimited user_note(const UserLimit& user);
/// It tells no decision, only what one needs to understand them: it is in event logs, and in no digest.
bool is_note(const Trace& trace);

}  // namespace proffer
