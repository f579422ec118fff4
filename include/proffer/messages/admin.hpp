// For people who look: the state of a cluster as its allocator sees it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proffer/decline_reason.hpp"
#include "proffer/ids.hpp"
#include "proffer/pool.hpp"
#include "proffer/resources.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// anybody -> allocator; needs no session.
struct Describe {
  std::uint64_t request = 0;
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
  std::string trouble = {};  // why it is offered to nobody; empty: it is well
  bool operator==(const AgentState&) const = default;
};

struct FrameworkState {
  FrameworkId id;
  std::string name;
  std::string pool;
  std::string user;
  bool connected = true;
  Resources used;     // running
  Resources offered;  // in outstanding offers
  Quantities demand;  // declared; absent: unbounded
  Quantities fair;
  std::uint64_t offers_sent = 0;
  std::uint64_t offers_accepted = 0;
  std::uint64_t offers_rescinded = 0;
  std::uint64_t offers_expired = 0;
  std::array<std::uint64_t, kDeclineReasons> offers_declined{};
  std::uint64_t tasks_launched = 0;
  std::uint64_t tasks_finished = 0;
  std::uint64_t tasks_failed = 0;   // all other terminal states
  Duration offers_held{};           // the sum over those it answered
  std::string priority = "normal";  // of kPriorities
  bool operator==(const FrameworkState&) const = default;
};

inline constexpr std::size_t kPlacesShown = 100;

struct PoolState {
  std::string name;  // dotted; the root is ""
  std::int64_t weight_milli = 1000;
  Quantities min_share;
  Quantities used;
  Quantities demand;
  Quantities fair;
  std::uint32_t frameworks = 0;
  std::string order;  // of kPoolOrders
  std::uint32_t max_running = 0;
  std::uint32_t max_running_per_user = 0;
  std::uint32_t waiting = 0;             // of them, beyond a limit: offered nothing until another leaves
  std::vector<std::string> racks = {};   // the first kPlacesShown; with `agents`: both empty: every agent
  std::vector<std::string> agents = {};  // the first kPlacesShown
  std::uint32_t private_agents = 0;
  std::uint32_t user_limit = kNoUserLimit;  // in percent
  std::optional<Duration> min_share_timeout = {};
  Duration return_after = std::chrono::minutes(1);  // of private agents
  bool operator==(const PoolState&) const = default;
};

struct ClusterState {
  std::uint64_t request = 0;
  std::string catalog_endpoint;
  std::vector<AgentState> agents;
  std::vector<FrameworkState> frameworks;
  std::vector<PoolState> pools;
  bool more = false;               // another ClusterState of the same request follows, with further entries
  std::string event_log;           // the allocator's, a file on its machine; empty: it writes none
  std::string preemption = "off";  // of kPreemptionModes
  std::optional<Duration> fair_share_timeout = {};
  std::int64_t fair_share_threshold_milli = 500;
  Duration preemption_deadline{};
  bool operator==(const ClusterState&) const = default;
};

/// anybody -> allocator; needs no session. What is not set stays as it is, or as a new pool has it.
struct ChangePool {
  std::uint64_t request = 0;
  std::string verb;  // create, set, remove
  std::string pool;
  std::optional<std::int64_t> weight_milli;
  Quantities min_share;  // of the kinds named; 0: none
  std::string order;     // of kPoolOrders; empty: as it is
  std::optional<std::uint32_t> max_running;
  std::optional<std::uint32_t> max_running_per_user;
  std::optional<Duration> min_share_timeout;       // 0: for ever
  std::optional<std::vector<std::string>> racks;   // whose agents; with `agents`: both empty: every agent
  std::optional<std::vector<std::string>> agents;  // by name
  std::optional<std::uint32_t> private_agents;     // 0: none
  std::optional<Duration> return_after;            // of private agents; above 0
  std::optional<std::uint32_t> user_limit;         // in percent, 1-100
  bool operator==(const ChangePool&) const = default;
};

/// anybody -> allocator; needs no session. The pools of its configuration file, as that is now.
struct ReloadPools {
  std::uint64_t request = 0;
  bool operator==(const ReloadPools&) const = default;
};

/// anybody -> allocator; needs no session. With all it runs and wants, into another pool.
struct MoveFramework {
  std::uint64_t request = 0;
  std::string framework;  // its name
  std::string pool;
  bool operator==(const MoveFramework&) const = default;
};

/// anybody -> allocator; needs no session. allocator -> framework: the same, with a number of the
/// allocator's. The job ends, and its tasks with it.
struct KillJob {
  std::uint64_t request = 0;
  std::string framework;  // its name; empty: the only one that there is
  std::string job;        // its name, or its number there
  std::string by;         // who wants it, for people
  std::string why;        // a sentence, or empty
  bool operator==(const KillJob&) const = default;
};

/// As KILL_JOB. Into another pool of its framework's own.
struct MoveJob {
  std::uint64_t request = 0;
  std::string framework;  // as in KillJob
  std::string job;
  std::string pool;
  bool operator==(const MoveJob&) const = default;
};

inline constexpr std::size_t kWarningsSaid = 20;

/// allocator -> who asked for a change; framework -> allocator: what became of a job that it was asked about.
struct AdminDone {
  std::uint64_t request = 0;
  std::optional<Error> error;  // none: it is done
  std::string text;            // what was done, a sentence
  /// What is amiss with it nevertheless, a sentence each; the first kWarningsSaid.
  std::vector<std::string> warnings = {};
  bool operator==(const AdminDone&) const = default;
};

}  // namespace proffer
