// Messages between a framework and the allocator. Names follow Mesos v1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/decline_reason.hpp"
#include "proffer/ids.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/resources.hpp"
#include "proffer/result.hpp"
#include "proffer/task_state.hpp"
#include "proffer/time.hpp"
#include "proffer/topology.hpp"

namespace proffer {

/// Slots that a framework could use now (unlaunched + running), absolute per kind; a kind that is not named
/// is unbounded.
struct Demand {
  Quantities kinds;
  /// The bulk resources that one of its tasks takes, the most of each kind: offers hold so many of these as
  /// its share comes to. Empty: it is offered all that is free on an agent.
  Quantities task = {};
  /// The least of each kind that one takes: where less is free nothing is offered. Empty: as `task`.
  Quantities least = {};
  bool operator==(const Demand&) const = default;
};

/// framework -> allocator: open a session. An empty `framework` asks for a new id.
struct Subscribe {
  FrameworkId framework;
  std::string name;
  std::string pool;  ///< dotted, from the root's children down; empty: the default pool
  std::string user;
  Duration failover_timeout{};  ///< the time that its tasks outlive a lost session
  Demand demand;
  std::string priority = {};  ///< one of kPriorities; empty: normal
  Secret secret = {};         ///< the secret that SUBSCRIBED gave with the id; nil for a new id
  /// The process that subscribes: a number that it has drawn at its start. 0: not said.
  std::uint64_t instance = 0;
  /// The newest framework_epoch that this process was given; 0: none yet. Of two processes under one id the
  /// one that came later is right: the other is answered `fenced`.
  std::uint64_t framework_epoch = 0;
  /// The framework is to be known under this id and this secret if it is not known yet. Only with both, which
  /// somebody has drawn for it: a detached job's, which any of its drivers speaks for.
  bool claims = false;
  bool operator==(const Subscribe&) const = default;
};

/// allocator -> framework: the session in the envelope is yours.
struct Subscribed {
  FrameworkId framework;
  std::uint64_t framework_epoch = 0;
  Duration heartbeat{};
  std::string catalog_endpoint;  ///< opaque; empty: no catalog here
  Secret secret = {};            ///< secret of the id, with which the framework comes back
  /// A number that the allocator has drawn at its start: two allocators of one epoch are told apart by it.
  std::uint64_t incarnation = 0;
  bool operator==(const Subscribed&) const = default;
};

/// The position of a framework for one kind, as far as the framework cannot know it by itself.
struct Standing {
  Kind kind;
  std::int64_t used = 0;   ///< running + offered, in units of the kind
  std::int64_t fair = 0;   ///< the fair share now
  bool starved = false;    ///< below its guarantee for too long
  bool contended = false;  ///< somebody else wants such slots
  /// No free slot of the kind is left that the framework may have, not even one that its own decline filters
  /// hide.
  bool complete = false;
  bool operator==(const Standing&) const = default;
};

/// Free slots of one kind on one agent, or some of its bulk resources, for one framework.
struct Offer {
  OfferId id;
  AgentInfo agent;
  Resources resources;
  bool idle = false;  ///< the slots were free, and could have been looked at, before this pass
  bool operator==(const Offer&) const = default;
};

struct Offers {
  std::vector<Offer> offers;
  std::vector<Standing> standings;
  bool operator==(const Offers&) const = default;
};

struct TaskSpec {
  TaskId id;
  Resources resources;
  JobId job;  ///< the job, for RELEASE and displays; 0: none
  WorkPtr work;
  bool operator==(const TaskSpec& other) const;  ///< compares the work itself
};

/// framework -> allocator: run these on what these offers hold (all of one agent); the rest is declined.
struct Accept {
  std::uint64_t accept = 0;  ///< rising within a framework epoch
  std::vector<OfferId> offers;
  std::vector<TaskSpec> tasks;
  DeclineReason rest_reason = DeclineReason::no_pending_task;
  std::optional<Duration> rest_refuse_for;  ///< the same as Decline::refuse_for
  Demand demand;
  bool operator==(const Accept&) const = default;
};

/// The verdict on one task, in the order of the accept. `ok` tasks get updates from now on; others have ended
/// as `state`.
struct AcceptVerdict {
  TaskId task;
  bool ok = false;
  TaskState state = TaskState::pending;
  TaskReason reason = TaskReason::none;
  bool operator==(const AcceptVerdict&) const = default;
};

struct Accepted {
  std::uint64_t accept = 0;
  std::vector<AcceptVerdict> verdicts;
  bool operator==(const Accepted&) const = default;
};

/// framework -> allocator. `refuse_for` hides that agent and kind: a time, 0 = until something changes on
/// that agent, none = until REVIVE.
struct Decline {
  std::vector<OfferId> offers;
  DeclineReason reason = DeclineReason::other;
  std::optional<Duration> refuse_for = Duration::zero();
  Demand demand;
  bool operator==(const Decline&) const = default;
};

/// allocator -> framework: these offers are void. Advisory.
struct Rescind {
  std::vector<OfferId> offers;
  bool operator==(const Rescind&) const = default;
};

/// framework -> allocator: forget my filters of these kinds (empty: of all).
struct Revive {
  std::vector<Kind> kinds;
  Demand demand;
  bool operator==(const Revive&) const = default;
};

/// framework -> allocator: no offers of these kinds (empty: all) until REVIVE or demand above 0.
struct Suppress {
  std::vector<Kind> kinds;
  bool operator==(const Suppress&) const = default;
};

/// allocator -> framework: others are starved; give back this many slots within that time, of tasks of your
/// own choice. The allocator then kills as many tasks as are missing, newest first (SEMANTICS §1).
struct Preempt {
  Resources slots;
  Duration within{};
  bool operator==(const Preempt&) const = default;
};

/// A state of a task, as the agent (or, for states it alone can write, the allocator) recorded it.
struct TaskStatus {
  FrameworkId framework;
  TaskId task;
  std::uint64_t seq = 0;  ///< number of the status, from 1 per task, strictly rising; (task, seq) is the key
  TaskState state = TaskState::pending;
  TaskReason reason = TaskReason::none;
  ExitStatus exit;      ///< the end of the process; for terminal states with reason exit or signal
  std::string message;  ///< a sentence for people
  AgentId agent;
  Duration run_time{};  ///< time from start to end as the agent saw it; for terminal states
  ResultPtr result;     ///< the result, for FINISHED and FAILED
  bool operator==(const TaskStatus& other) const;  ///< compares the result itself
};

/// allocator -> framework; answered by ACKNOWLEDGE once handled.
struct Update {
  TaskStatus status;
  bool operator==(const Update&) const = default;
};

/// framework -> allocator -> agent.
struct Acknowledge {
  FrameworkId framework;
  TaskId task;
  std::uint64_t seq = 0;
  bool operator==(const Acknowledge&) const = default;
};

/// framework -> allocator -> agent. Idempotent.
struct Kill {
  FrameworkId framework;
  TaskId task;
  Duration grace{};  ///< the time between SIGTERM and SIGKILL
  bool operator==(const Kill&) const = default;
};

/// framework <-> running task, through allocator and agent; may be lost.
struct TaskMessage {
  FrameworkId framework;
  TaskId task;
  std::string payload;
  bool operator==(const TaskMessage&) const = default;
};

/// framework -> allocator -> agent -> a reduce that was started before all maps were done; may be lost, then
/// the reduce asks again (TaskSaid::What::wants). `inputs` belong to a ReduceWork, `synthetic` to a
/// SyntheticWork.
struct MoreInputs {
  FrameworkId framework;
  TaskId task;
  /// Range [from, to) in the list of the job's map outputs, which only grows. Empty outputs are left out.
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::vector<MapOutput> inputs;
  std::vector<SyntheticInput> synthetic;
  bool complete = false;  ///< true: these inputs are the last
  bool operator==(const MoreInputs&) const = default;
};

/// framework -> allocator -> agents: outputs of that job (0: of all jobs) may be deleted.
struct Release {
  FrameworkId framework;
  JobId job;
  bool operator==(const Release&) const = default;
};

/// framework -> allocator: I am done; kill what still runs.
struct Teardown {
  bool operator==(const Teardown&) const = default;
};

/// The living tasks of which the sender of a heartbeat believes that they are at the other end: how many, and
/// the exclusive or of a hash of each (hash_of_task). Both ends compare.
struct TaskDigest {
  std::uint64_t count = 0;
  std::uint64_t hash = 0;
  bool operator==(const TaskDigest&) const = default;
};
/// Returns a 64-bit hash of a task of a framework, the same on every machine.
std::uint64_t hash_of_task(FrameworkId framework, const TaskId& task);

/// Sent both ways on every session. Any valid message counts as one.
struct Heartbeat {
  std::uint64_t beat = 0;
  std::optional<Demand> demand;  ///< the sender's demand, when the sender is a framework
  std::optional<TaskDigest> tasks = {};
  // The rest comes from frameworks, and makes up for a REVIVE or a SUPPRESS that was lost.
  std::uint64_t revives = 0;          ///< REVIVEs in this session so far
  std::vector<Kind> suppressed = {};  ///< kinds of which no offers are wanted
  bool all_suppressed = false;        ///< true: no offers are wanted at all
  bool operator==(const Heartbeat&) const = default;
};

/// A task, and the agent where its framework believes it to be; nil: it does not know.
struct TaskAt {
  TaskId task;
  AgentId agent;
  bool operator==(const TaskAt&) const = default;
};

/// framework -> allocator: what has become of these tasks? None named: of all that you know.
struct Reconcile {
  std::uint64_t request = 0;
  std::vector<TaskAt> tasks;
  bool operator==(const Reconcile&) const = default;
};

/// The knowledge of the allocator about a task.
enum class Known : std::uint8_t {
  known = 0,    ///< the state is told
  awaited = 1,  ///< the agent has not come back since the allocator was started: ask again
  unknown = 2,  ///< the task is not on its agent, which is here, and will not come there any more
};
std::string_view to_string(Known known);

struct KnownTask {
  TaskId task;
  AgentId agent;
  Known known = Known::known;
  TaskState state = TaskState::pending;
  Resources resources;
  JobId job;
  bool operator==(const KnownTask&) const = default;
};

/// allocator -> framework: the answer to RECONCILE, in messages of limits::kTasksPerAccept tasks at most.
struct Reconciled {
  std::uint64_t request = 0;
  std::vector<KnownTask> tasks;
  bool last = true;      ///< no further message answers this request
  bool complete = true;  ///< no agent is awaited: what is not named is not there
  bool operator==(const Reconciled&) const = default;
};

/// Both ways: the sender ends in good order, and means to come back. Sessions with it are over; nothing else
/// is.
struct Bye {
  std::string why;
  bool operator==(const Bye&) const = default;
};

struct ErrorMessage {
  Error error;
  std::uint64_t about_seq = 0;  ///< the seq of the message that caused it; 0: none
  bool operator==(const ErrorMessage&) const = default;
};

}  // namespace proffer
