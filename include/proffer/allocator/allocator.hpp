// The allocator machine: offers free slots to frameworks in weighted fair order, at once when something
// changes, and passes tasks on to agents. It never learns where blocks are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/cluster_view.hpp"
#include "proffer/machine.hpp"
#include "proffer/preemption.hpp"
#include "proffer/random.hpp"
#include "proffer/secret_source.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer {

/// The settings of an allocator. Durations are above 0 unless their comment says what 0 means.
struct AllocatorConfig {
  std::vector<AllocatorPool> pools;
  std::vector<UserLimit> users;  ///< each once
  PreemptionConfig preemption;   ///< one that refuse_preemption() allows with `share_by`
  ShareBy share_by = ShareBy::kind;
  std::string default_pool;  ///< the pool of a SUBSCRIBE that names none; "" = the root
  Duration offer_timeout = std::chrono::seconds(30);  ///< after this time an unanswered offer expires
  /// The allocation interval, for research. 0: slots are offered as soon as they are free. Above 0: free
  /// slots are gathered, and one pass is made at each multiple of this time. An interval hides much of what
  /// delay scheduling is for: releases that came one by one are shown together, so a framework finds local
  /// slots among them without waiting; and every slot stands idle for half an interval on average
  /// (SEMANTICS §2).
  Duration batch{};
  /// The time between two reports of an agent, for research. 0: slots are offered whenever they are free.
  /// Above 0: an agent tells of ends of tasks with its reports, in a phase of its own, and its slots are
  /// offered only then, as under schedulers that hand out work with heartbeats (SEMANTICS §13).
  Duration report_period{};
  std::uint32_t report_slots = 0;  ///< slots of each kind that are offered with a report at most; 0: all
  /// The time between two HEARTBEATs to a peer; 0: no peer is watched.
  Duration heartbeat = std::chrono::seconds(1);
  Duration suspect_after = std::chrono::seconds(3);  ///< an agent silent for so long gets no new offers
  /// Offers on an agent that is silent for so long are rescinded, and so are those of such a framework.
  Duration disconnected_after = std::chrono::seconds(5);
  /// Tasks on an agent that is silent for so long become UNREACHABLE; the session of a framework ends that is
  /// silent, or takes nothing that it is sent, for so long.
  Duration unreachable_after = std::chrono::seconds(30);
  /// The time from SIGTERM to SIGKILL for tasks that the allocator itself ends.
  Duration kill_grace = std::chrono::seconds(5);
  /// After a start with agents of a former life, nothing is offered for so long, or until all of them are
  /// back.
  Duration recovery_hold = std::chrono::seconds(10);
  /// Agents of a former life that have not come back after this time are out of reach, and their tasks
  /// UNREACHABLE. Frameworks without a failover timeout have as long to come back.
  Duration reregister_window = std::chrono::seconds(60);
  std::string catalog_endpoint;  ///< relayed to agents and frameworks; the allocator does not use it
  std::string event_log;         ///< the path of the event log, told to those who ask; empty: there is none
  std::string http;              ///< HOST:PORT of the dashboard, told likewise; empty: there is none
};

/// Returns a warning if preemption is configured but could never act, and none if it could.
std::optional<std::string> idle_preemption(const AllocatorConfig& config);
/// Returns the whole configuration as traces, pools and limits of users included. A world begins an event log
/// with these.
std::vector<Trace> opening_notes(const AllocatorConfig& config);

/// The allocator as a machine (see machine.hpp).
class Allocator {
 public:
  /// Aborts unless the configuration is consistent (pools, default pool, timeouts). The world has made
  /// `cluster` and `epoch` durable before. `kept`: the records of its former lives.
  Allocator(AllocatorConfig config, ClusterId cluster, Epoch epoch, Random random, SecretSource secrets,
            std::vector<Kept> kept = {});
  ~Allocator();

  void step(const Event& event, Actions& actions, Time now);
  std::optional<Time> next_deadline() const;
  /// Returns the epoch of a later start of this allocator, of which a peer has told: this one is an old twin,
  /// on a copied folder or back from a long pause, and has to end. None: there is no sign of one.
  std::optional<Epoch> superseded() const;
  /// Returns what the allocator knows as of its last step, with the newest `most_tasks` tasks. Changes
  /// nothing: a run is the same whether somebody looks or not.
  ClusterView view(std::size_t most_tasks) const;
  void check_invariants() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer
