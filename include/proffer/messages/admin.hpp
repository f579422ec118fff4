// Messages for people who look or operate: the state of a cluster as its allocator sees it, and changes of
// it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proffer/decline_reason.hpp"
#include "proffer/ids.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/pool.hpp"
#include "proffer/resources.hpp"
#include "proffer/result.hpp"
#include "proffer/task_state.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// anybody -> allocator; needs no session.
struct Describe {
  std::uint64_t request = 0;
  std::uint64_t tasks = 0;  ///< tell of the newest so many tasks, too, up to limits::kTasksDescribed
  bool operator==(const Describe&) const = default;
};

struct AgentState {
  AgentId id;
  std::string name;
  std::string rack;
  std::string data_endpoint;
  bool reachable = true;
  Resources total;
  Resources used;
  Resources offered;
  std::string trouble = {};  ///< a sentence that says why it is offered to nobody; empty: the agent is well
  std::string wish = {};     ///< the wish of an operator: "draining", "drained"; empty: the agent serves
  std::uint64_t tasks = 0;   ///< number of its tasks that have not ended
  std::string reach = {};    ///< the agent's distance: "up", "silent", "awaited", "unreachable"
  bool operator==(const AgentState&) const = default;
};

struct FrameworkState {
  FrameworkId id;
  std::string name;
  std::string pool;
  std::string user;
  bool connected = true;
  Resources used;     ///< running tasks
  Resources offered;  ///< slots in outstanding offers
  Quantities demand;  ///< declared demand; absent: unbounded
  Quantities fair;
  std::uint64_t offers_sent = 0;
  std::uint64_t offers_accepted = 0;
  std::uint64_t offers_rescinded = 0;
  std::uint64_t offers_expired = 0;
  std::array<std::uint64_t, kDeclineReasons> offers_declined{};
  std::uint64_t tasks_launched = 0;
  std::uint64_t tasks_finished = 0;
  std::uint64_t tasks_failed = 0;            ///< tasks that ended in any other terminal state
  Duration offers_held{};                    ///< the sum over the offers that the framework answered
  std::string priority = "normal";           ///< one of kPriorities
  std::optional<Duration> given_up_in = {};  ///< not connected: the time that it still has to come back
  bool operator==(const FrameworkState&) const = default;
};

/// A task that has not ended.
struct LivingTask {
  AgentId agent;
  FrameworkId framework;
  TaskId task;
  JobId job;  ///< a number of the framework's own; 0: the task is of no job
  TaskState state = TaskState::pending;
  Resources resources = {};
  bool operator==(const LivingTask&) const = default;
};

inline constexpr std::size_t kPlacesShown = 100;

struct PoolState {
  std::string name;  ///< dotted; the root is ""
  std::int64_t weight_milli = 1000;
  Quantities min_share;
  Quantities used;
  Quantities demand;
  Quantities fair;
  std::uint32_t frameworks = 0;
  std::string order;  ///< one of kPoolOrders
  std::uint32_t max_running = 0;
  std::uint32_t max_running_per_user = 0;
  std::uint32_t waiting = 0;  ///< frameworks beyond a limit: offered nothing until another leaves
  /// The first kPlacesShown; both `racks` and `agents` empty: every agent.
  std::vector<std::string> racks = {};
  std::vector<std::string> agents = {};  ///< the first kPlacesShown
  std::uint32_t private_agents = 0;
  std::uint32_t user_limit = kNoUserLimit;  ///< percent
  std::optional<Duration> min_share_timeout = {};
  Duration return_after = std::chrono::minutes(1);  ///< the time after which unused private agents return
  bool operator==(const PoolState&) const = default;
};

struct ClusterState {
  std::uint64_t request = 0;
  std::string catalog_endpoint;
  std::vector<AgentState> agents;
  std::vector<FrameworkState> frameworks;
  std::vector<PoolState> pools;
  bool more = false;               ///< another ClusterState of the same request follows, with further entries
  std::string event_log;           ///< path of the allocator's log, on its machine; empty: no log is written
  std::string preemption = "off";  ///< one of kPreemptionModes
  std::optional<Duration> fair_share_timeout = {};
  std::int64_t fair_share_threshold_milli = 500;
  Duration preemption_deadline{};
  /// After a start of the allocator: agents of before that it waits for, and how many of them are back.
  std::uint64_t agents_known = 0;
  std::uint64_t agents_back = 0;
  std::optional<Duration> recovers_for = {};  ///< no offers are made for so long; none: they are made
  std::string degraded = {};  ///< a sentence: why silent agents are not given up now; empty: they are
  std::string http = {};      ///< HOST:PORT at which the allocator shows itself to browsers; empty: nowhere
  std::vector<LivingTask> tasks = {};  ///< in order of launch, the newest first; as many as were asked for
  std::uint64_t living =
      0;  ///< number of all tasks that have not ended; on the last page, if tasks were asked for
  bool operator==(const ClusterState&) const = default;
};

/// anybody -> allocator; needs no session. Fields that are not set stay as they are, or as a new pool has
/// them.
struct ChangePool {
  std::uint64_t request = 0;
  std::string verb;  ///< create, set, remove
  std::string pool;
  std::optional<std::int64_t> weight_milli;
  Quantities min_share;  ///< quantities of the named kinds; 0: none
  std::string order;     ///< one of kPoolOrders; empty: unchanged
  std::optional<std::uint32_t> max_running;
  std::optional<std::uint32_t> max_running_per_user;
  std::optional<Duration> min_share_timeout;  ///< 0: without limit
  /// Racks whose agents it may be offered; both `racks` and `agents` empty: every agent.
  std::optional<std::vector<std::string>> racks;
  std::optional<std::vector<std::string>> agents;  ///< names of agents
  std::optional<std::uint32_t> private_agents;     ///< 0: none
  std::optional<Duration> return_after;     ///< the time after which unused private agents return; above 0
  std::optional<std::uint32_t> user_limit;  ///< percent, 1-100
  bool operator==(const ChangePool&) const = default;
};

/// anybody -> allocator; needs no session. Sets the pools as the configuration file has them now.
struct ReloadPools {
  std::uint64_t request = 0;
  bool operator==(const ReloadPools&) const = default;
};

/// anybody -> allocator; needs no session. Moves a framework into another pool, with all it runs and wants.
struct MoveFramework {
  std::uint64_t request = 0;
  std::string framework;  ///< name of the framework
  std::string pool;
  bool operator==(const MoveFramework&) const = default;
};

/// anybody -> allocator; needs no session. allocator -> framework: the same, with a request number of the
/// allocator's. Ends a job, and its tasks with it.
struct KillJob {
  std::uint64_t request = 0;
  std::string framework;  ///< name of the framework; empty: the only one that there is
  std::string job;        ///< name of the job, or its number in the framework
  std::string by;         ///< the person who wants it, for people
  std::string why;        ///< a sentence, or empty
  bool operator==(const KillJob&) const = default;
};

/// Moves a job into another pool of its framework's own; sent by whom and to whom as KILL_JOB is.
struct MoveJob {
  std::uint64_t request = 0;
  std::string framework;  ///< name of the framework, as in KillJob
  std::string job;
  std::string pool;
  bool operator==(const MoveJob&) const = default;
};

inline constexpr std::size_t kWarningsSaid = 20;

/// allocator -> sender of a request for a change; framework -> allocator, about a job: the outcome.
struct AdminDone {
  std::uint64_t request = 0;
  std::optional<Error> error;  ///< none: the change is done
  std::string text;            ///< a sentence that says what was done
  /// Sentences about what is nevertheless wrong with the change; the first kWarningsSaid.
  std::vector<std::string> warnings = {};
  bool operator==(const AdminDone&) const = default;
};

/// anybody -> allocator; needs no session. Answered by AdminDone.
struct ChangeAgent {
  std::uint64_t request = 0;
  std::string agent;  ///< name of the agent, or its id as 32 hexadecimal digits
  std::string verb;   ///< drain, undrain, gone
  /// drain: tasks that still run after this time are killed; none: they run to their end.
  std::optional<Duration> kill_after;
  bool operator==(const ChangeAgent&) const = default;
};

/// The name of the framework that runs the drivers of detached jobs.
inline constexpr const char* kDriversFramework = "drivers";

/// anybody -> allocator; needs no session. allocator -> the framework of drivers: the same, with a request
/// number of the allocator's. Runs a command as the driver of a detached job. Answered by AdminDone.
struct SubmitJob {
  std::uint64_t request = 0;
  std::string id;       ///< the job's, drawn by who submits it: the same job once more changes nothing
  std::string name;     ///< name of the framework that the driver speaks for
  std::string user;     ///< owner of the job
  std::string summary;  ///< the command, for people
  /// The id and the secret of that framework, drawn by who submits it: each driver comes under them.
  FrameworkId framework;
  Secret secret;
  CommandWork command;  ///< the driver, with an output token
  bool operator==(const SubmitJob&) const = default;
};

/// anybody -> allocator -> the framework of drivers: which detached jobs are there? Answered by DetachedJobs,
/// or by AdminDone with an error.
struct DescribeJobs {
  std::uint64_t request = 0;
  std::string id;  ///< the first characters of a job's id, or all; empty: all jobs
  bool operator==(const DescribeJobs&) const = default;
};

/// A detached job, and where its driver is.
struct DetachedJob {
  std::string id;
  std::string name;
  std::string user;
  std::string summary;
  std::string state;         ///< waiting, running, ending, ended
  std::string text;          ///< a sentence: why it waits or was begun anew, or how it ended; or empty
  std::uint32_t starts = 0;  ///< drivers that were started so far
  ExitStatus exit;           ///< the end of its last driver, once it has ended
  // The newest driver's task, for those who want its output; the task is empty before the first was started.
  FrameworkId framework;
  JobId job;
  std::string task;
  std::string output_token;
  std::string agent;  ///< name of its agent; empty: none yet
  std::string data_endpoint;
  bool operator==(const DetachedJob&) const = default;
};

/// The framework of drivers -> allocator -> who asked with DescribeJobs.
struct DetachedJobs {
  std::uint64_t request = 0;
  std::vector<DetachedJob> jobs;  ///< ordered as they were submitted
  bool operator==(const DetachedJobs&) const = default;
};

}  // namespace proffer
