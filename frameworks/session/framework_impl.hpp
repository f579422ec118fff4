// The framework machine from within. framework.cpp dispatches; each conversation has a file of its own.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frameworks/session/accept_table.hpp"
#include "frameworks/session/backoff.hpp"
#include "frameworks/session/catalog_requests.hpp"
#include "frameworks/session/demand_table.hpp"
#include "frameworks/session/kill_table.hpp"
#include "frameworks/session/offer_table.hpp"
#include "frameworks/session/pulse.hpp"
#include "frameworks/session/scheduler_calls.hpp"
#include "frameworks/session/session.hpp"
#include "frameworks/session/task_ledger.hpp"
#include "proffer/frameworks/framework.hpp"

namespace proffer {

/// One step: where its actions go, and when it is.
struct Turn {
  Actions& actions;
  Time now;
};

struct Framework::Impl {
  enum class Phase : std::uint8_t {
    fresh,     ///< nothing was done yet
    away,      ///< without a session; SUBSCRIBE is sent now and then
    open,      ///< in session
    finished,  ///< for good
  };

  Impl(FrameworkConfig settings, Scheduler& owner, Random seeded);

  // framework.cpp: dispatch
  void step(const Event& event, Turn turn);
  void receive(const MessageReceived& received, Turn turn);
  void from_allocator(const Envelope& envelope, Turn turn);
  void on_deadlines(Turn turn);
  std::optional<Time> next_deadline() const;
  void check_invariants() const;

  // framework_session.cpp: coming and going
  void start(Turn turn);
  void subscribe(Turn turn);
  void on_subscribed(const Envelope& envelope, Turn turn);
  void on_error(const ErrorMessage& error, Turn turn);
  void refused_to_subscribe(const Error& error, Turn turn);
  void lose_session(Turn turn);
  void give_up_identity(Turn turn);
  void fail(const Error& error, Turn turn);
  void beat(Turn turn);
  void leave(Turn turn);
  void finish();

  // framework_offers.cpp: offers and accepts
  void on_offers(const Offers& offers, Turn turn);
  void on_rescind(const Rescind& rescind, Turn turn);
  void on_accepted(const Accepted& accepted, Turn turn);
  void on_verdict(const AcceptVerdict& verdict, bool older_session, Turn turn);
  void send_due_accepts(Turn turn);

  // framework_tasks.cpp: tasks
  void on_update(const TaskStatus& status, Turn turn);
  void on_preempt(const Preempt& preempt, Turn turn);
  void on_task_message(const TaskMessage& message, Turn turn);
  void report_end(const TaskId& task, TaskState state, TaskReason reason, const std::string& why, Turn turn);
  void deliver_reported(Turn turn);
  void send_due_kills(Turn turn);

  // framework_jobs.cpp: what operators want of its jobs
  void on_kill_job(const KillJob& kill, Turn turn);
  void on_move_job(const MoveJob& move, Turn turn);
  using JobChange = std::function<Result<std::string>(Driver&)>;
  void change_job(std::uint64_t request, const JobChange& change, Turn turn);

  // framework_catalog.cpp: the catalog
  void on_catalog(const Envelope& envelope, Turn turn);
  void to_catalog(Message message, Turn turn);
  void lose_catalog(const Error& error, Turn turn);
  void deliver_catalog(const std::vector<Message>& answers, Turn turn);

  // framework_calls.cpp: what the scheduler asks for
  using Callback = std::function<void(Driver&)>;
  /// Calls the scheduler, and does what it asked for. Nothing once the framework has finished.
  void callback(const Callback& call, Turn turn);
  std::vector<Driver::Call> calls_of(const Callback& call, Turn turn);
  void take(std::vector<Driver::Call> calls, Turn turn);
  void on_call(Driver::AcceptCall& call, Turn turn);
  void on_call(const Driver::DemandCall& call, Turn turn);
  void on_call(Revive& call, Turn turn);
  void on_call(Suppress& call, Turn turn);
  void on_call(Kill& call, Turn turn);
  void on_call(TaskMessage& call, Turn turn);
  void on_call(MoreInputs& call, Turn turn);
  void on_call(Release& call, Turn turn);
  void on_call(Driver::CatalogCall& call, Turn turn);
  void on_call(Driver::TellCatalogCall& call, Turn turn);
  void on_call(Trace& call, Turn turn);
  void on_call(const Driver::StopCall& call, Turn turn);
  void on_call(const Driver::HoldCall& call, Turn turn);
  void on_call(const Driver::AcknowledgeCall& call, Turn turn);
  void decline(std::vector<OfferId> offers, const Driver::DeclineCall& call, Turn turn);

  void send(Message message, Turn turn);

  FrameworkConfig config;
  SchedulerCalls scheduler;
  Random random;

  Phase phase = Phase::fresh;
  std::optional<Error> refused;
  bool leaving = false;  // of no interest to its scheduler any more; the allocator is still to be told
  FrameworkId id;
  Secret secret;  // of the id
  Session session;
  Pulse pulse;
  Backoff backoff;
  Time subscribe_at;
  Epoch subscribed_in;  // what the newest SUBSCRIBE took for the allocator's epoch
  std::uint64_t beats = 0;

  DemandTable demand;
  OfferTable offers;
  AcceptTable accepts;
  TaskLedger tasks;
  KillTable kills;
  CatalogRequests catalog;
  bool greeted_catalog = false;  // on the connection that there is
  SessionId catalog_session;     // 0 until the catalog has named it
  std::uint64_t next_request = 1;
  std::set<JobId> late_releases;         // asked for while there was no session
  std::deque<TaskStatus> reported;       // ends that we report ourselves, to be delivered
  std::map<TaskId, std::uint32_t> held;  // ends that are acknowledged later, with the number they came under
};

}  // namespace proffer
