// The records that machines keep over their restarts, each with a kind and a key. A record replaces the
// former one of the same kind and key. All that no record says is lost with the process, and is learnt anew.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/one_of.hpp"
#include "proffer/resources.hpp"
#include "proffer/time.hpp"
#include "proffer/topology.hpp"

namespace proffer {

/// A framework that may come back to its allocator. Key: the id. Forgotten when the framework is given up: an
/// id without a record is unknown, and tasks of it are ended.
struct KeptFramework {
  FrameworkId id;
  Secret secret;
  std::string name;
  std::string user;
  std::string priority;  ///< one of kPriorities
  std::string pool;      ///< the pool into which an operator has moved it, or else `asked`
  std::string asked;     ///< the pool of its SUBSCRIBE
  Duration failover_timeout{};
  std::uint64_t epoch = 0;     ///< SUBSCRIBEs that were taken
  std::uint64_t instance = 0;  ///< the process that the newest of them came from
  bool operator==(const KeptFramework&) const = default;
};

/// The wish of an operator about an agent.
enum class AgentWish : std::uint8_t {
  serve,  ///< run tasks: the usual state
  drain,  ///< get no new tasks, until somebody says `undrain`
};

/// An agent that may come back to its allocator, with tasks. An agent itself keeps one when the allocator has
/// given it another id than its settings have; then only info and secret count. Key: the id.
struct KeptAgent {
  AgentInfo info;
  Secret secret;
  std::uint64_t run = 0;
  AgentWish wish = AgentWish::serve;
  bool unreachable = false;  ///< nobody waits for it after a restart of the allocator
  /// The time after which the tasks of an agent that is drained are killed, anew from each start of the
  /// allocator; none: they run to their end.
  std::optional<Duration> kill_after = {};
  bool operator==(const KeptAgent&) const = default;
};

/// An agent that an operator has declared gone: its allocator never takes the id again. Key: the id.
struct RetiredAgent {
  AgentId id;
  std::string name;
  bool operator==(const RetiredAgent&) const = default;
};

/// A launch at its agent, from its LAUNCH until it is forgotten. Key: the launch. Statuses are kept before
/// they are sent.
struct KeptLaunch {
  LaunchId launch;
  FrameworkId framework;
  TaskId task;
  JobId job;
  Resources resources;
  std::uint64_t seq = 0;                     ///< number of its newest status
  std::vector<TaskStatus> statuses;          ///< statuses without an acknowledgement, the oldest first
  std::optional<TaskReason> end_asked = {};  ///< somebody wants it to end, and why
  bool ended = false;
  std::uint64_t settled = 0;  ///< above 0: its end is acknowledged; a number that rises from launch to launch
  bool operator==(const KeptLaunch&) const = default;
};

enum class ServerRole : std::uint8_t { allocator, catalog };

/// A server that an agent or a framework belongs to. Key: the role.
struct KeptServer {
  ServerRole role = ServerRole::allocator;
  ClusterId cluster;
  Epoch epoch;                    ///< the highest that was seen
  std::uint64_t incarnation = 0;  ///< number of the server in that epoch; 0: not known
  bool operator==(const KeptServer&) const = default;
};

/// The boot of an agent's host in which its runs were started. There is one. Key: none.
struct KeptBoot {
  std::string boot;
  bool operator==(const KeptBoot&) const = default;
};

/// The id under which the allocator knows a framework. There is one. Key: none.
struct KeptIdentity {
  FrameworkId id;
  Secret secret;
  std::uint64_t epoch = 0;  ///< as SUBSCRIBED said
  bool operator==(const KeptIdentity&) const = default;
};

/// A task that a framework has asked for. Key: the task. Kept before its ACCEPT goes out.
struct KeptTask {
  TaskId task;
  AgentId agent;
  Resources resources;
  std::uint64_t number = 0;  ///< the number of the task, in order of asking
  TaskState state = TaskState::pending;
  std::uint64_t seq = 0;  ///< number of the newest status that the scheduler saw
  bool operator==(const KeptTask&) const = default;
};

/// A note of a scheduler, with which it can go on in another process. Key: `key`.
struct KeptNote {
  std::string key;
  std::string value;
  bool operator==(const KeptNote&) const = default;
};

struct KeptSet {
  using variant = std::variant<KeptFramework, KeptAgent, RetiredAgent, KeptLaunch, KeptServer, KeptBoot,
                               KeptIdentity, KeptTask, KeptNote>;
  static constexpr bool comparable = true;
};
/// One record, of any kind.
using Kept = OneOf<KeptSet>;

/// The name of a record: its kind, as an index of Kept, and its key within the kind.
struct KeptKey {
  std::size_t kind = 0;
  std::string key;
  auto operator<=>(const KeptKey&) const = default;
};

KeptKey key_of(const Kept& record);
/// Returns the name of the KeptFramework, KeptAgent, KeptLaunch or KeptTask with that id.
KeptKey key_of(FrameworkId framework);
KeptKey key_of(AgentId agent);
KeptKey key_of(LaunchId launch);
KeptKey key_of(const TaskId& task);
KeptKey key_of_note(const std::string& key);

/// Replaces the record of that kind and key.
struct KeepRecord {
  Kept record;
};
/// Forgets a record; no effect when there is none.
struct DropRecord {
  KeptKey key;
};

}  // namespace proffer
