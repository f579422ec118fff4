// The agent machine: registers its slots, starts one process per launch, re-sends statuses until they are
// acknowledged, and reports its blocks to the catalog.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proffer/machine.hpp"
#include "proffer/random.hpp"

namespace proffer {

struct AgentConfig {
  AgentId id;  ///< kept by the world, over restarts; nil: the allocator gives it one
  std::string name;
  std::string rack = "default";
  /// The endpoint of its data port; empty: it serves no data, and the catalog need not know of it.
  std::string data_endpoint;
  Resources slots;
  std::uint32_t max_computing = 0;  ///< reduces that compute at a time; others copy, or wait; 0: all may
  std::uint64_t run = 1;            ///< +1 per start; kept by the world
  /// Bound of the delay between hellos to a server; doubles to retry_max, with full jitter.
  Duration retry_first = std::chrono::milliseconds(200);
  Duration retry_max = std::chrono::seconds(10);
  /// Delay until a status that is not acknowledged is sent again; doubles to status_retry_max, each +-20%.
  Duration status_retry_first = std::chrono::seconds(1);
  Duration status_retry_max = std::chrono::seconds(60);
  Duration allocator_silent_after = std::chrono::seconds(10);  ///< then the agent registers again
  Duration catalog_silent_after = std::chrono::seconds(10);    ///< then it reports again
  /// SIGTERM to SIGKILL for runs that end for another reason than a KILL: REGISTERED disowns them, the agent
  /// is stopped with its tasks, or a former life of it had asked them to end.
  Duration orphan_grace = std::chrono::seconds(5);
  /// Secrets of the id, one for each server, kept by the world with the id; nil: the server's answer has one.
  Secret secret = {};
  Secret catalog_secret = {};
  std::string boot = {};  ///< the boot of its host; a run of another boot has no process any more
  /// An allocator of another cluster that answers is taken up instead of refused: the agent forgets the
  /// former cluster, and ends all tasks of it. So is a catalog.
  bool adopt = false;
};

/// One agent, in session with an allocator and, if there is one, a catalog. A session that is lost (silence,
/// a lost connection, a restarted allocator) is opened again under the same id, and running tasks live on
/// meanwhile. An agent belongs to the cluster that took it first: it refuses any other, over restarts as
/// well.
///
/// Runs outlive the agent. What it has to know of them and of its servers in its next life it emits as
/// KeepRecord: KeptLaunch, KeptServer, KeptBoot; and KeptAgent, once the allocator has given it another id
/// than the one of its settings. Given such records, it registers when RunsListed has told what became of its
/// runs; after a reboot of the host at once.
class Agent {
 public:
  /// `blocks`: those on its disk at the start, and their lengths in bytes.
  /// `kept`: the records of its former lives.
  Agent(AgentConfig config, std::vector<std::pair<BlockId, std::uint64_t>> blocks, Random random,
        std::vector<Kept> kept = {});
  ~Agent();

  void step(const Event& event, Actions& actions, Time now);
  std::optional<Time> next_deadline() const;
  void check_invariants() const;

  /// Returns the id that is configured, or kept, until REGISTERED has come for the first time; nil after the
  /// id was declared gone, until there is another.
  AgentId id() const;
  /// Returns whether it is in session with the allocator.
  bool registered() const;
  /// Returns whether the agent has done all that Stopping asked for: the process may end now.
  bool stopped() const;
  /// Returns why REGISTER was refused, for as long as it is: `name_in_use`, `invalid`, `wrong_cluster` and
  /// whatever else does not pass by itself; and `slow_down`, which does. The agent goes on trying now and
  /// then; a world may well end it instead. None: REGISTER is not refused.
  std::optional<Error> refused() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer
