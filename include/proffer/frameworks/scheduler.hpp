// The interface of a framework: its author implements Scheduler, and calls Driver. Callbacks are serial; time
// comes from driver.now() only; calls take effect in call order, when the callback has returned.
// scheduler_abilities.hpp has the callbacks that only some schedulers need.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "proffer/machine.hpp"
#include "proffer/random.hpp"

namespace proffer {

/// Collects the calls of one callback. The session turns them into messages.
class Driver {
 public:
  /// `next_request` numbers the catalog requests of a session; `keeps`: notes are kept.
  Driver(Time now, Random& random, std::uint64_t& next_request, bool keeps = false)
      : now_(now), random_(random), next_request_(next_request), keeps_(keeps) {}
  Time now() const { return now_; }
  Random& random() { return random_; }
  /// Returns whether keep() has an effect: notes are made for nobody otherwise.
  bool keeps() const { return keeps_; }

  /// Launches tasks on these offers (all of one agent); what is left of them is declined with `rest`.
  void accept(std::vector<OfferId> offers, std::vector<TaskSpec> tasks,
              DeclineReason rest = DeclineReason::no_pending_task,
              std::optional<Duration> rest_refuse_for = Duration::zero());
  /// Declines an offer. See Decline for refuse_for: zero = until something changes on that agent, none =
  /// until revive().
  void decline(OfferId offer, DeclineReason reason, std::optional<Duration> refuse_for);
  /// Declares how many slots the framework could use now, absolute. Sent with the next call or heartbeat; a
  /// rise above a former value at once.
  void set_demand(Kind kind, std::int64_t units);
  /// Declares the bulk resources that one task takes, the most and the least of each kind (Demand::task).
  void set_task_size(Resources most, Resources least);
  void revive(std::vector<Kind> kinds = {});
  void suppress(std::vector<Kind> kinds = {});
  void kill(TaskId task, Duration grace = std::chrono::seconds(5));
  void send_to_task(TaskId task, std::string payload);
  /// Sends inputs to a running reduce. The message may be lost.
  void send_inputs(MoreInputs inputs);
  /// Says that outputs of that job are no longer needed.
  void release(JobId job);
  /// Sends a catalog request; its `request` number is filled in and returned. The answer comes as
  /// UsesCatalog::catalog_answered().
  std::uint64_t ask_catalog(Message request);
  /// Tells the catalog how blocks were used. The message may be lost; a framework that has sent one is told
  /// of UsesCatalog::replicas_changed().
  void tell_catalog(BlocksUsed used);
  /// Defers the acknowledgement of the terminal status at hand, within status_update(): the status is
  /// acknowledged when acknowledge() is called, not when the callback returns. Until then the task's agent
  /// keeps what a command wrote.
  void hold(TaskId task);
  /// Acknowledges the status of a held task; no effect for any other.
  void acknowledge(TaskId task);
  /// Keeps a note for a later process of this framework (see Resumes), in the place of a former one under
  /// that key. It is durable before anything else that this callback asks for, and before the status at hand
  /// is acknowledged.
  void keep(std::string key, std::string value);
  /// Forgets a note; no effect when there is none.
  void forget(std::string key);
  void trace(Trace trace);
  /// Tears the framework down; `finished()` of the session becomes true.
  void stop();

  // The calls as records, for the session.
  struct AcceptCall {
    std::vector<OfferId> offers;
    std::vector<TaskSpec> tasks;
    DeclineReason rest;
    std::optional<Duration> rest_refuse_for;
  };
  struct DeclineCall {
    OfferId offer;
    DeclineReason reason;
    std::optional<Duration> refuse_for;
  };
  struct DemandCall {
    Kind kind;
    std::int64_t units;
  };
  struct TaskSizeCall {
    Resources most;
    Resources least;
  };
  struct CatalogCall {
    Message request;
  };
  struct TellCatalogCall {
    BlocksUsed used;
  };
  struct HoldCall {
    TaskId task;
  };
  struct AcknowledgeCall {
    TaskId task;
  };
  struct KeepCall {
    std::string key;
    std::string value;
  };
  struct ForgetCall {
    std::string key;
  };
  struct StopCall {};
  using Call = std::variant<AcceptCall, DeclineCall, DemandCall, TaskSizeCall, Revive, Suppress, Kill,
                            TaskMessage, MoreInputs, Release, CatalogCall, TellCatalogCall, Trace, StopCall,
                            HoldCall, AcknowledgeCall, KeepCall, ForgetCall>;
  std::vector<Call> take_calls();
  /// The calls collected so far.
  std::span<const Call> calls() const { return calls_; }

 private:
  Time now_;
  Random& random_;
  std::uint64_t& next_request_;
  bool keeps_;
  std::vector<Call> calls_;
};

/// The callbacks of every framework: it answers offers, and hears how its tasks end. Those with a default
/// tell of its life and of its time.
class Scheduler {
 public:
  virtual ~Scheduler();

  virtual void resource_offers(Driver& driver, const Offers& offers) = 0;
  /// The state of a task has changed. Each terminal state comes once per task; also states that the allocator
  /// wrote (DROPPED, REJECTED, ...), and accepts refused. The status is acknowledged when this returns,
  /// unless the scheduler holds it.
  virtual void status_update(Driver& driver, const TaskStatus& status) = 0;

  /// Called once, before the first SUBSCRIBE. Demand declared here rides in it, so that no offer comes too
  /// early; of the other calls only trace() and stop() have an effect yet.
  virtual void started(Driver&) {}
  /// The allocator refused something for good (unknown pool, name in use, ...). The session has stopped.
  virtual void failed(Driver&, const Error&) {}
  /// Returns when deadline() is to be called; none: not at all.
  virtual std::optional<Time> next_deadline() const { return {}; }
  virtual void deadline(Driver&) {}
};

}  // namespace proffer
