// A machine in the live world: bytes become events, actions become bytes and effects.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "live/host/loop.hpp"
#include "proffer/live/port.hpp"
#include "proffer/machine.hpp"

namespace proffer::live {

/// Any machine, for a host that need not know which.
class Driven {
 public:
  virtual ~Driven() = default;
  virtual void step(const Event& event, Actions& actions, Time now) = 0;
  virtual std::optional<Time> next_deadline() const = 0;
};

template <Machine M>
class Drive final : public Driven {
 public:
  /// `machine` must outlive it.
  explicit Drive(M& machine) : machine_(machine) {}
  void step(const Event& event, Actions& actions, Time now) override { machine_.step(event, actions, now); }
  std::optional<Time> next_deadline() const override { return machine_.next_deadline(); }

 private:
  M& machine_;
};

/// The effects that only some machines have. What a machine asks for and its host has no way to do is a
/// mistake of ours, and aborts.
class Effects {
 public:
  virtual ~Effects() = default;
  /// An envelope has come, and will be given to the machine next.
  virtual void on_arrival(PeerId /*from*/, const Envelope& /*envelope*/) {}
  virtual void on_trace(const Trace& trace, Time now) = 0;
  /// Each takes one change; commit() then makes all of them durable, together. `no_space`: nothing of them is
  /// kept, and all are given again once make_room() has done what it can. Any other error ends the process.
  virtual Result<> persist(const Persist& change);
  virtual Result<> keep_pools(const KeepPools& change);
  virtual Result<> commit() { return {}; }
  /// Frees some of the room that was set aside, and says how much is left for changes to come; none when
  /// there is nothing more to free. `why`: the disk's answer.
  virtual std::optional<StoreRoom> make_room(const Error& /*why*/) { return {}; }
  /// StartRun, SignalRun, DeliverToRun, DeliverInputs, GiveLeave, Probe, DropOutputs, DropBlock,
  /// SetStoreToken, SettleRun.
  virtual void carry_out(const Action& action);
};

/// For the ERROR that answers what cannot be read.
struct HostConfig {
  ClusterId cluster;
  Epoch epoch;
};

struct HostCounters {
  std::uint64_t received = 0;     ///< messages given to the machine
  std::uint64_t sent = 0;         ///< messages handed to a port
  std::uint64_t unsent = 0;       ///< messages for peers that were gone or had a full queue
  std::uint64_t undecodable = 0;  ///< frames that are no message
  std::uint64_t dropped = 0;      ///< arrivals that are not one frame of an honest peer
};

/// One turn: at most 64 messages of each port, then what was delivered, then time; then all actions that came
/// of it, in order, with changes that must last made durable (together) before the rest.
class Host final : public LoopPart {
 public:
  /// All of these must outlive it.
  Host(Context& context, Loop& loop, Driven& machine, Effects& effects, HostConfig config = {});
  ~Host() override;

  /// For machines that bind. PeerIds of several ports are told apart.
  void serve(std::unique_ptr<BoundPort> port);
  /// For machines that connect: `as` is one of the fixed PeerIds. Another endpoint than before (or an empty
  /// one: none any more) is told to the machine as a loss. `invalid` when it is no address.
  Result<> connect(PeerId as, const std::string& endpoint);
  /// An event from elsewhere (executor, disk). The machine gets it in this or the next turn.
  void deliver(Event event);
  /// Waits until all that was sent has left for its peers, at most so long; what arrives meanwhile is
  /// dropped. False when something is still here.
  bool drain(Duration at_most);
  HostCounters counters() const;

  void want(Wishes& wishes) override;
  void turn(const Readiness& ready, Time now) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::live
