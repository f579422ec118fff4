// The host of a machine in the live world: bytes become events, actions become bytes and effects.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "live/host/loop.hpp"
#include "proffer/live/port.hpp"
#include "proffer/machine.hpp"

namespace proffer::live {

/// A machine of any kind, for a host that need not know which.
class AnyMachine {
 public:
  virtual ~AnyMachine() = default;
  virtual void step(const Event& event, Actions& actions, Time now) = 0;
  virtual std::optional<Time> next_deadline() const = 0;
};

template <Machine M>
class MachineAdapter final : public AnyMachine {
 public:
  /// `machine` must outlive this object.
  explicit MachineAdapter(M& machine) : machine_(machine) {}
  void step(const Event& event, Actions& actions, Time now) override { machine_.step(event, actions, now); }
  std::optional<Time> next_deadline() const override { return machine_.next_deadline(); }

 private:
  M& machine_;
};

/// The effects that only some machines have. An action for which the host has no effect is a programming
/// error, and aborts.
class Effects {
 public:
  virtual ~Effects() = default;
  /// Called when an envelope has come, before the machine gets it.
  virtual void on_arrival(PeerId /*from*/, const Envelope& /*envelope*/) {}
  virtual void on_trace(const Trace& trace, Time now) = 0;
  /// Takes one change; commit() then makes all of them durable, together. `no_space`: nothing of them is
  /// kept, and all are given again once make_room() has done what it can, and then once a second until they
  /// are. Any other error ends the process.
  virtual Result<> persist(const Persist& change);
  virtual Result<> keep_pools(const KeepPools& change);
  /// The same for a record.
  virtual Result<> keep_record(const KeepRecord& change);
  virtual Result<> drop_record(const DropRecord& change);
  virtual Result<> commit() { return {}; }
  /// Frees some of the room that was set aside, and returns how much is left for changes to come; none when
  /// there is nothing more to free. `why`: the disk's answer.
  virtual std::optional<StoreRoom> make_room(const Error& /*why*/) { return {}; }
  /// Carries out StartRun, SignalRun, DeliverToRun, DeliverInputs, GrantCompute, Probe, DropOutputs,
  /// DropBlock, SetStoreToken or SettleRun.
  virtual void carry_out(const Action& action);
};

/// The sender of the ERROR that answers a frame which is no message.
struct HostConfig {
  ClusterId cluster;
  Epoch epoch;
};

struct HostCounters {
  std::uint64_t received = 0;     ///< messages given to the machine
  std::uint64_t sent = 0;         ///< messages handed to a port
  std::uint64_t unsent = 0;       ///< messages for peers that were gone or had a full queue
  std::uint64_t refused = 0;      ///< messages of clients that sent too many, thrown away unread
  std::uint64_t undecodable = 0;  ///< frames that are no message
  std::uint64_t dropped = 0;      ///< arrivals that are not one frame of an honest peer
};

/// Runs a machine in a loop. A turn takes at most 64 messages of each port, of all its clients in turn, then
/// events that were delivered, then time; then carries out all actions that came of it, in order. Changes
/// that must last are made durable (together) before the rest: otherwise a peer could know of something that
/// a crash undoes. Those with no rest behind them may wait a little for others. While a full disk does not
/// take them, the host rests: nothing is received, and nothing is sent.
class Host final : public LoopPart {
 public:
  /// The arguments other than `config` must outlive this object.
  Host(Context& context, Loop& loop, AnyMachine& machine, Effects& effects, HostConfig config = {});
  ~Host() override;

  /// Adds a port of a machine that binds. PeerIds of several ports are told apart. `rate`: the messages that
  /// each client may send; what is more is not read, and answered by `slow_down` once a second.
  void serve(std::unique_ptr<BoundPort> port, limits::Rate rate = {});
  /// Connects a machine to a server: `as` is one of the fixed PeerIds. Another endpoint than before (or an
  /// empty one: none any more) counts as a loss of the former server. `invalid` when it is no address.
  Result<> connect(PeerId as, const std::string& endpoint);
  /// Takes an event from elsewhere (executor, disk). The machine gets it in this or the next turn.
  void deliver(Event event);
  /// Makes durable what could wait until now; an error is the loop's.
  void settle();
  /// Waits until everything that was sent has left for its peers, but at most so long; messages that arrive
  /// meanwhile are dropped. False when something is still unsent.
  bool drain(Duration at_most);
  HostCounters counters() const;

  void prepare(PollSet& polled) override;
  void turn(const Readiness& ready, Time now) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::live
