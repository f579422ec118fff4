// The contract of a machine: a pure state machine with no clock, socket, thread or randomness of its own.
//
//   step(event, actions, now)   takes one event, and appends what to do about it to `actions`; the order of
//                               the actions is part of the contract
//   next_deadline()             the time at which the machine wants a TimePassed; none: at no time
//   check_invariants()          aborts unless everything that must always hold does hold
//
// A world carries actions out in order. A Persist, KeepRecord, DropRecord or KeepPools is durable before any
// action behind it is carried out: otherwise a peer could be told of a change that a crash undoes.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/kept.hpp"
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
/// The connection to a peer is gone; its PeerId will not come again. A client machine tries again.
struct PeerLost {
  PeerId peer;
};
/// The machine's deadline may have come. Harmless at any time.
struct TimePassed {};

// Events from the executor to the agent.
struct RunStarted {
  LaunchId launch;
};
/// A run that went wrong through no fault of its own, but of its agent: the disk, the launcher, or a lack of
/// processes.
struct AgentFault {
  enum class What : std::uint8_t {
    start,   ///< the run was never started
    ran,     ///< the launcher that ran it ended
    output,  ///< the output of the run was not kept
  };
  What what = What::start;
  std::string why;  ///< a sentence for people
};
/// The process of a run has ended, and all it left behind is cleaned up. `spawn_error` not empty: the process
/// never started, and could not on any agent. `remark`: for people, however the run ended.
struct RunExited {
  LaunchId launch;
  ExitStatus exit;
  ResultPtr result;
  std::string spawn_error;
  std::optional<AgentFault> fault = {};
  std::string remark = {};
  std::optional<Duration> ran = {};  ///< the time that it ran; none: since RunStarted
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
/// A reduce has copied all its input, and asks for permission to compute.
struct ComputeAsked {
  LaunchId launch;
};

/// The runs that outlived the agent's former process: those that live, with the time since each began, and
/// those that ended meanwhile. Told once, after the start; a launch that the agent has kept and that is in
/// neither list has no process any more, and never will. No slot is offered before.
///
/// Each run that was ever started in this boot of the host, and has not been settled by SettleRun, is in one
/// of the lists: it leaves its mark on the disk before its program is executed. So a launch that is in
/// neither list, and of which RunStarted was never told, never ran. The agent kills the living that it does
/// not know, and waits for their RunExited. Permits to compute are not kept: for a living run that has asked
/// for one, whether or not it got it, ComputeAsked is told again afterwards.
struct RunsListed {
  struct Living {
    LaunchId launch;
    Duration age{};
  };
  std::vector<Living> living;
  std::vector<RunExited> ended;
};

/// The process of this machine is about to end in good order, and means to come back. `kill_tasks`: its tasks
/// end first; else they run on.
struct Stopping {
  bool kill_tasks = false;
};
/// The lag of a peer behind what it was sent.
enum class Lag : std::uint8_t {
  none,  ///< the peer keeps up
  half,  ///< half of what may wait for the peer does: nothing is sent that can wait
  full,  ///< the peer is sent nothing more but what must reach it
};
struct PeerLag {
  PeerId peer;
  Lag lag = Lag::none;
};

// Events from the block store's disk to the agent.
struct BlockStored {
  BlockId block;
  std::uint64_t length = 0;
};
struct BlockVanished {
  BlockId block;
};
/// A FetchBlock failed, and nothing of the block is left.
struct BlockNotFetched {
  BlockId block;
  Error error;
};

// An event from the allocator's configuration file.
/// The answer to ReadPools, or (peer 0) pools that somebody wants read again.
struct PoolsRead {
  PeerId peer;
  std::uint64_t request = 0;
  std::vector<AllocatorPool> pools;
  PreemptionConfig preemption;
  std::vector<UserLimit> users;
  std::optional<Error> error;  ///< names FILE:LINE; then there are no pools
  /// Keys of the file, other than pools, that have changed since the allocator was started: they count after
  /// a restart.
  std::vector<std::string> want_restart = {};
};

// An event from the disk on which the world keeps what a machine persists.
enum class Room : std::uint8_t {
  plenty,  ///< no restriction: the usual state
  little,  ///< only changes that make room are accepted from now on
  none,    ///< no changes are accepted at all
};
/// The free room has changed (at the start it is plenty). Changes persisted before this event are kept in any
/// case.
struct StoreRoom {
  Room room = Room::plenty;
  std::string why;  ///< "FILE: No space left on device"; empty when there is plenty
};

struct EventSet {
  using variant = std::variant<TimePassed, MessageReceived, PeerLost, RunStarted, RunExited, RunSaid,
                               ComputeAsked, BlockStored, BlockVanished, BlockNotFetched, PoolsRead,
                               StoreRoom, Probed, RunsListed, Stopping, PeerLag>;
  static constexpr bool comparable = false;
};
using Event = OneOf<EventSet>;

// ---- actions ----

/// Sends a message to a peer. `envelope` is complete. The message may be lost.
struct Send {
  PeerId peer;
  Envelope envelope;
};
/// Forgets this peer; whatever it still sends is answered with unknown_session.
struct ClosePeer {
  PeerId peer;
};

// Actions of the agent for its executor.
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
/// Permits a reduce that asked with ComputeAsked to compute.
struct GrantCompute {
  LaunchId launch;
};
/// Finds out, by trying, whether runs can be started and their output be kept. Answered by Probed.
struct Probe {};
/// Deletes the map outputs and command outputs of a job (0: of all jobs) of a framework.
struct DropOutputs {
  FrameworkId framework;
  JobId job;
};
/// Deletes a replica's bytes. Answered by BlockVanished.
struct DropBlock {
  BlockId block;
};
/// Fetches a replica from an agent that holds one. Answered by BlockStored once the replica is whole and in
/// place, or by BlockNotFetched.
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

// Actions of the allocator for its configuration file.
/// Reads the pools from the configuration file. Answered by PoolsRead.
struct ReadPools {
  PeerId peer;
  std::uint64_t request = 0;
};

/// The pools as an operator changed them, durable before any action behind this one. They count instead of
/// the configuration file's from now on. None: that file counts again.
struct KeepPools {
  std::optional<std::vector<AllocatorPool>> pools;
};

/// One durable change of the catalog's names.
struct PersistFile {
  FileInfo file;  ///< has blocks but no replicas; replaces what was known of the path
};
struct ForgetFile {
  std::string path;
};
/// All block ids below `next` have been given out.
struct PersistNextBlock {
  BlockId next;
};
using Persist = std::variant<PersistFile, ForgetFile, PersistNextBlock>;

/// One line for the event log.
struct Emit {
  Trace trace;
};

/// The end of that run is acknowledged (agent to executor): nobody will ask for its output any more.
struct SettleRun {
  LaunchId launch;
};

struct ActionSet {
  using variant = std::variant<ClosePeer, Send, StartRun, SignalRun, DeliverToRun, DeliverInputs,
                               GrantCompute, DropOutputs, DropBlock, SetStoreToken, Persist, Emit, FetchBlock,
                               ReadPools, KeepPools, Probe, SettleRun, KeepRecord, DropRecord>;
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
