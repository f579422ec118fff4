// The contract of a machine: a pure state machine with no clock, socket, thread or randomness of its own.
//
//   step(event, actions, now)  takes one event and appends what to do about it, in an order that is part of
//   the contract next_deadline()            when it wants a TimePassed; none: never check_invariants() aborts
//   unless what must always hold does hold
//
// A world carries actions out in order. A Persist is durable before any action behind it is carried out.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/message.hpp"
#include "proffer/pool.hpp"
#include "proffer/preemption.hpp"
#include "proffer/time.hpp"
#include "proffer/trace.hpp"

namespace proffer {

// ---- events ----

struct MessageReceived {
  PeerId peer;
  Envelope envelope;
};
/// The connection to a peer is gone; its PeerId will not come again. For a client machine: try again.
struct PeerLost {
  PeerId peer;
};
/// The machine's deadline may have come. Harmless at any time.
struct TimePassed {};

// From the executor, to the agent.
struct RunStarted {
  LaunchId launch;
};
/// What went wrong with a run through no fault of its own, but of the agent's: its disk, its launcher, its
/// lack of processes.
struct AgentFault {
  enum class What : std::uint8_t {
    start,   ///< it was never started
    ran,     ///< the launcher that ran it ended
    output,  ///< what it wrote was not kept
  };
  What what = What::start;
  std::string why;  ///< a sentence
};
/// The process has ended and all it left behind is cleaned up. `spawn_error` not empty: it never started, and
/// could not on any agent. `remark`: for people, whatever the end was.
struct RunExited {
  LaunchId launch;
  ExitStatus exit;
  ResultPtr result;
  std::string spawn_error;
  std::optional<AgentFault> fault = {};
  std::string remark = {};
};
/// The answer to Probe. `why` empty: the agent can start runs, and keep what they write.
struct Probed {
  std::string why;
};
/// A running task has something to say to its framework.
struct RunSaid {
  LaunchId launch;
  std::string payload;
};
/// A reduce has copied all its input, and asks for leave to compute.
struct LeaveAsked {
  LaunchId launch;
};

// From the block store's disk, to the agent.
struct BlockStored {
  BlockId block;
  std::uint64_t length = 0;
};
struct BlockVanished {
  BlockId block;
};
/// Nothing came of a FetchBlock, and nothing of it is left.
struct BlockNotFetched {
  BlockId block;
  Error error;
};

// From its configuration file, to the allocator.
/// What ReadPools asked for, or (peer 0) what somebody wants read anew.
struct PoolsRead {
  PeerId peer;
  std::uint64_t request = 0;
  std::vector<AllocatorPool> pools;
  PreemptionConfig preemption;
  std::vector<UserLimit> users;
  std::optional<Error> error;  // with FILE:LINE; then there are no pools
  /// Other keys of the file than when the allocator was started: they count after a restart.
  std::vector<std::string> want_restart = {};
};

// From the disk on which the world keeps what a machine persists.
enum class Room : std::uint8_t {
  plenty,  ///< all is as usual
  little,  ///< only changes that make room are taken from now on
  none,    ///< no changes at all
};
/// There is other room than before (at the start: plenty). What was persisted before it is kept in any case.
struct StoreRoom {
  Room room = Room::plenty;
  std::string why;  // "FILE: No space left on device"; empty when there is plenty
};

struct EventSet {
  using variant =
      std::variant<TimePassed, MessageReceived, PeerLost, RunStarted, RunExited, RunSaid, LeaveAsked,
                   BlockStored, BlockVanished, BlockNotFetched, PoolsRead, StoreRoom, Probed>;
  static constexpr bool comparable = false;
};
using Event = OneOf<EventSet>;

// ---- actions ----

/// May be lost. `envelope` is complete.
struct Send {
  PeerId peer;
  Envelope envelope;
};
/// Forget this peer; what it still sends is answered with unknown_session.
struct ClosePeer {
  PeerId peer;
};

// To the executor, from the agent.
struct StartRun {
  LaunchId launch;
  FrameworkId framework;
  std::string framework_name;
  TaskSpec task;
};
enum class RunSignal : std::uint8_t { terminate, kill };
struct SignalRun {
  LaunchId launch;
  RunSignal signal = RunSignal::terminate;
};
struct DeliverToRun {
  LaunchId launch;
  std::string payload;
};
struct DeliverInputs {
  LaunchId launch;
  MoreInputs inputs;
};
/// It may compute now.
struct GiveLeave {
  LaunchId launch;
};
/// Find out whether runs can be started and what they write be kept, by doing so. Answered by Probed.
struct Probe {};
/// Delete map outputs, and what commands wrote, of a job (0: of all its jobs) of a framework.
struct DropOutputs {
  FrameworkId framework;
  JobId job;
};
/// Delete a replica's bytes. Answered by BlockVanished.
struct DropBlock {
  BlockId block;
};
/// Fetch a replica from an agent that holds one. Answered by BlockStored once it is whole and in place, or by
/// BlockNotFetched.
struct FetchBlock {
  BlockId block;
  std::uint64_t length = 0;
  std::vector<Replica> sources;
  std::string token;
};
/// The token that readers and writers of blocks must show from now on.
struct SetStoreToken {
  std::string token;
};

// To its configuration file, from the allocator.
/// Answered by PoolsRead.
struct ReadPools {
  PeerId peer;
  std::uint64_t request = 0;
};

/// To be durable before any action behind it: the pools as an operator changed them, which count instead of
/// the configuration file's from now on. None: that file counts again.
struct KeepPools {
  std::optional<std::vector<AllocatorPool>> pools;
};

/// One durable change of the catalog's names.
struct PersistFile {
  FileInfo file;  // with blocks, without replicas; replaces what was known of the path
};
struct ForgetFile {
  std::string path;
};
/// Block ids below `next` have been given out.
struct PersistNextBlock {
  BlockId next;
};
using Persist = std::variant<PersistFile, ForgetFile, PersistNextBlock>;

/// One line for the event log.
struct Emit {
  Trace trace;
};

/// To the executor, from the agent: the end of that run is acknowledged, so nobody asks any more for what it
/// wrote.
struct SettleRun {
  LaunchId launch;
};

struct ActionSet {
  using variant = std::variant<ClosePeer, Send, StartRun, SignalRun, DeliverToRun, DeliverInputs, GiveLeave,
                               DropOutputs, DropBlock, SetStoreToken, Persist, Emit, FetchBlock, ReadPools,
                               KeepPools, Probe, SettleRun>;
  static constexpr bool comparable = false;
};
using Action = OneOf<ActionSet>;
using Actions = std::vector<Action>;

template <class M>
concept Machine = requires(M machine, const M& constant, const Event& event, Actions& actions, Time now) {
  machine.step(event, actions, now);
  { constant.next_deadline() } -> std::same_as<std::optional<Time>>;
  constant.check_invariants();
};

/// The peers of a machine that connects rather than binds.
inline constexpr PeerId kAllocatorPeer{1};
inline constexpr PeerId kCatalogPeer{2};

}  // namespace proffer
