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

#include "proffer/machine.hpp"
#include "proffer/preemption.hpp"
#include "proffer/random.hpp"
#include "proffer/secret_source.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer {

struct AllocatorConfig {
  std::vector<AllocatorPool> pools;
  std::vector<UserLimit> users;  ///< each once
  PreemptionConfig preemption;   ///< not refused with `share_by` (refuse_preemption)
  ShareBy share_by = ShareBy::kind;
  std::string default_pool;  ///< where a SUBSCRIBE without a pool goes; "" = the root
  Duration offer_timeout = std::chrono::seconds(30);
  /// For research. 0: what becomes free is offered at once. Else it is gathered, and one pass is made at each
  /// multiple of this time, as schedulers with an allocation interval do. That hides much of what delay
  /// scheduling is for: releases that came one by one are shown together, so a framework finds local slots
  /// among them without waiting; and every slot stands idle for half a batch on the average (SEMANTICS §2).
  Duration batch{};
  /// For research. 0: slots are offered whenever they are free. Else only once every such time an agent, each
  /// with a phase of its own, and one of a kind at a time, as schedulers do that hand out work with the
  /// heartbeats of their workers (SEMANTICS §13).
  Duration report_period{};
  Duration heartbeat = std::chrono::seconds(1);
  Duration suspect_after = std::chrono::seconds(3);  ///< no new offers on a silent agent
  Duration disconnected_after =
      std::chrono::seconds(5);  ///< its offers are rescinded; a framework's session ends
  Duration unreachable_after = std::chrono::seconds(30);  ///< its tasks become UNREACHABLE
  Duration kill_grace =
      std::chrono::seconds(2);   ///< SIGTERM to SIGKILL for tasks of a framework that is gone
  std::string catalog_endpoint;  ///< relayed, not understood
  std::string event_log;         ///< told to who asks, so that it is found; a file, or empty
};

/// Why nothing would ever be done for starved pools, though it is set when; none: something may be.
std::optional<std::string> idle_preemption(const AllocatorConfig& config);
/// What it is set to, all pools and limits of users included: worlds begin an event log with these.
std::vector<Trace> opening_notes(const AllocatorConfig& config);

class Allocator {
 public:
  /// `cluster` and `epoch` were made durable by the world before.
  Allocator(AllocatorConfig config, ClusterId cluster, Epoch epoch, Random random, SecretSource secrets);
  ~Allocator();

  void step(const Event& event, Actions& actions, Time now);
  std::optional<Time> next_deadline() const;
  void check_invariants() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer
