// What a framework's author implements (Scheduler) and what he may call (Driver). Callbacks are serial; time
// comes from driver.now() only; calls take effect in call order, when the callback has returned.
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
  /// `next_request` numbers the catalog requests of a session.
  Driver(Time now, Random& random, std::uint64_t& next_request)
      : now_(now), random_(random), next_request_(next_request) {}
  Time now() const { return now_; }
  Random& random() { return random_; }

  /// Launch tasks on these offers (all of one agent); what is left of them is declined with `rest`.
  void accept(std::vector<OfferId> offers, std::vector<TaskSpec> tasks,
              DeclineReason rest = DeclineReason::no_pending_task,
              std::optional<Duration> rest_refuse_for = Duration::zero());
  /// See Decline for refuse_for: zero = until something changes on that agent, none = until revive().
  void decline(OfferId offer, DeclineReason reason, std::optional<Duration> refuse_for);
  /// Slots it could use now, absolute. Sent with the next call or heartbeat; a rise above a former value at
  /// once.
  void set_demand(Kind kind, std::int64_t units);
  void revive(std::vector<Kind> kinds = {});
  void suppress(std::vector<Kind> kinds = {});
  void kill(TaskId task, Duration grace = std::chrono::seconds(5));
  void send_to_task(TaskId task, std::string payload);
  /// To a running reduce. May be lost.
  void send_inputs(MoreInputs inputs);
  /// Outputs of that job are no longer needed.
  void release(JobId job);
  /// A catalog request; its `request` number is filled in and returned. Answered by catalog_answered().
  std::uint64_t ask_catalog(Message request);
  /// How blocks were used. May be lost; whoever has sent one is told of replicas_changed().
  void tell_catalog(BlocksUsed used);
  /// Within status_update(), of the terminal status at hand: it is acknowledged when acknowledge() is called,
  /// not when the callback returns. Until then the task's agent keeps what a command wrote.
  void hold(TaskId task);
  /// No effect for a task that is not held.
  void acknowledge(TaskId task);
  void trace(Trace trace);
  /// Tear the framework down; `finished()` of the session becomes true.
  void stop();

  // What was called, for the session.
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
  struct StopCall {};
  using Call =
      std::variant<AcceptCall, DeclineCall, DemandCall, Revive, Suppress, Kill, TaskMessage, MoreInputs,
                   Release, CatalogCall, TellCatalogCall, Trace, StopCall, HoldCall, AcknowledgeCall>;
  std::vector<Call> take_calls();
  /// Those collected so far.
  std::span<const Call> calls() const { return calls_; }

 private:
  Time now_;
  Random& random_;
  std::uint64_t& next_request_;
  std::vector<Call> calls_;
};

struct HeldTask {
  TaskId task;
  std::int64_t slots = 0;  ///< of the kind in question that it takes; above 0
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  virtual void resource_offers(Driver& driver, const Offers& offers) = 0;
  /// Each terminal state once per task; also states the allocator wrote (DROPPED, REJECTED, ...), and accepts
  /// refused. The status is acknowledged when this returns, unless the scheduler holds it.
  virtual void status_update(Driver& driver, const TaskStatus& status) = 0;

  /// Once, before the first SUBSCRIBE. Demand declared here rides in it, so that no offer comes too early; of
  /// the other calls only trace() and stop() have an effect yet.
  virtual void started(Driver&) {}
  /// A session is open (again). Another framework id than before: the allocator had given up the former
  /// framework; its tasks were reported LOST (reason framework_gone) and their outputs are no more.
  virtual void subscribed(Driver&, const Subscribed&) {}
  /// All outstanding offers are void.
  virtual void disconnected(Driver&) {}
  virtual void offers_rescinded(Driver&, std::span<const OfferId>) {}
  /// The allocator wants so many slots of a kind back. Which tasks are to die for it, of those of the kind
  /// that run, newest first? The session kills them. More than asked for may be named, or fewer: what is
  /// missing at the deadline the allocator kills, newest first.
  virtual std::vector<TaskId> choose_victims(Driver&, Kind /*kind*/, std::int64_t slots,
                                             std::span<const HeldTask> newest_first) {
    std::vector<TaskId> victims;
    for (const auto& running : newest_first) {
      if (slots <= 0) break;
      slots -= running.slots;
      victims.push_back(running.task);
    }
    return victims;
  }
  virtual void task_said(Driver&, const TaskId&, const std::string& /*payload*/) {}
  /// BlockAllocated, FilesListed or CatalogDone; a CatalogDone with `unreachable` when the catalog was lost
  /// first.
  virtual void catalog_answered(Driver&, const Message&) {}
  /// Replicas of blocks that were listed have come or gone.
  virtual void replicas_changed(Driver&, const ReplicasChanged&) {}
  /// An operator wants a job of the framework killed, or put into another of its own pools. What is done
  /// about it, a sentence; or why nothing is. Jobs are found as the operator names them: by name or number.
  virtual Result<std::string> kill_job(Driver&, const KillJob&) {
    return Error{ErrorCode::refused, "its jobs cannot be killed"};
  }
  virtual Result<std::string> move_job(Driver&, const MoveJob&) {
    return Error{ErrorCode::refused, "its jobs cannot be moved"};
  }
  /// The allocator refused something for good (unknown pool, name in use, ...). The session has stopped.
  virtual void failed(Driver&, const Error&) {}
  virtual std::optional<Time> next_deadline() const { return {}; }
  virtual void deadline(Driver&) {}
};

}  // namespace proffer
