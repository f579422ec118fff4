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
/// own.
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

struct TraceSet {
  using variant =
      std::variant<AgentRegistered, AgentLost, FrameworkSubscribed, FrameworkLost, DemandChanged, OfferMade,
                   OfferAccepted, OfferDeclined, OfferRescinded, OfferExpired, TaskLaunched, TaskChanged,
                   MessageRefused, JobSubmitted, TaskPlaced, JobFinished, RunBegan, RunEnded, FileChanged,
                   ReplicaChanged, PoolStarved, SlotsPreempted, ComputeBegan, CopyDecided, DropDecided,
                   CopyEnded, StorageCounted>;
  static constexpr bool comparable = false;
};
using Trace = OneOf<TraceSet>;

/// agent_registered, offer_made, ...
std::string_view trace_name(const Trace& trace);

}  // namespace proffer
