#include "frameworks/session/subscription.hpp"

#include <string>
#include <utility>

#include "frameworks/session/offer_handlers.hpp"
#include "frameworks/session/reconcile_handlers.hpp"
#include "frameworks/session/records.hpp"
#include "frameworks/session/scheduler_calls.hpp"
#include "frameworks/session/task_handlers.hpp"
#include "proffer/names.hpp"

namespace proffer::frameworks {
namespace {

void finish(const Turn& turn) {
  auto& state = turn.state;
  state.allocator.phase = Phase::finished;
  state.allocator.session.abandon();
  state.offers.clear();
  forget_accepts(turn);
  state.kills.clear();
  state.catalog.requests.clear();
  state.views.open.clear();
  state.owed.ends.clear();
  state.owed.acknowledgements.clear();
}

void tell_disconnected(const Turn& turn) {
  turn.state.offers.clear();
  call_scheduler(turn, [&](Driver& driver) { turn.state.scheduler.disconnected(driver); });
}

/// The allocator does not know us (any more): whatever ran is being killed.
void give_up_identity(const Turn& turn) {
  auto& state = turn.state;
  if (state.identity.id.value.is_nil()) return;
  state.accepts.clear();
  state.kills.clear();
  state.owed.releases.clear();
  state.owed.acknowledgements.clear();
  state.views.open.clear();
  state.allocator.framework_epoch = 0;
  for (const auto& task : state.tasks.all_current()) {
    report_end(turn, task, TaskState::lost, TaskReason::framework_gone,
               "the allocator had given the framework up");
  }
  state.identity = {};
  deliver_ends(turn);
}

void refused_to_subscribe(const Turn& turn, const Error& error) {
  auto& session = turn.state.allocator.session;
  if (error.code == ErrorCode::slow_down) turn.state.allocator.refused = error;
  if (session::may_pass(error.code)) return;
  // An answer of another cluster never gets here, so it is the epoch that was wrong: of this SUBSCRIBE, which
  // is worth another try now that we know better, or of something we had sent before.
  const bool named_one = session.attempted_in() != Epoch{};
  if (error.code != ErrorCode::wrong_cluster || !named_one) return fail(turn, error);
  if (session.epoch() > session.attempted_in()) return session.attempt_at_once(turn.now);
  session.delay_attempt(turn.state.random, turn.now);
}

/// Returns whether an ERROR answers a SUBSCRIBE, which is outside of sessions: others are about a message of
/// one.
bool is_about_subscribe(const Envelope& envelope, const ErrorMessage& message) {
  return envelope.session.value == 0 && message.about_seq == 0;
}

/// An ERROR about a message of a session, perhaps of a former one, ends nothing. At most it tells that the
/// allocator has started again.
void note_complaint(const Turn& turn, const ErrorMessage& message) {
  auto& session = turn.state.allocator.session;
  const auto& error = message.error;
  if (session.open()) {
    return turn.trace(
        MessageRefused{"message " + std::to_string(message.about_seq), error.code, error.message});
  }
  const bool restarted = session.epoch() > session.attempted_in();
  if (error.code == ErrorCode::wrong_cluster && restarted) session.attempt_at_once(turn.now);
}

/// Returns whether the allocator that answers is another one than that of the newest session, though of its
/// epoch: one of the two runs on a copy of the other's folder.
bool is_twin(const KeptServer& known, const Envelope& welcome, const Subscribed& subscribed) {
  const bool both_said = known.incarnation != 0 && subscribed.incarnation != 0;
  return both_said && known.epoch == welcome.epoch && known.incarnation != subscribed.incarnation;
}

/// The framework's place is with the first of them.
void refuse_twin(const Turn& turn) {
  turn.state.allocator.refused = {
      ErrorCode::split_brain,
      "another allocator of this cluster answers, started from a copy of the folder: stop one of the two"};
}

/// Notes whose session this is. Returns true when all tasks are to be asked about: it is another life of the
/// allocator, or another process of the framework.
bool note_server(const Turn& turn, const Envelope& welcome, const Subscribed& subscribed) {
  auto& state = turn.state;
  const auto former = std::exchange(state.allocator.server, {ServerRole::allocator, welcome.cluster,
                                                             welcome.epoch, subscribed.incarnation});
  const bool first = std::exchange(state.allocator.framework_epoch, subscribed.framework_epoch) == 0;
  const bool taken_over = first && state.views.foreign_tasks;
  if (former != state.allocator.server) keep_server(turn);
  keep_identity(turn);
  return taken_over || (former.epoch != Epoch{} && former.epoch != welcome.epoch);
}

/// Sends what was asked for and not answered in former sessions. Accept numbers rise within a session, so
/// what is open goes before anything that the scheduler asks for in this one.
void send_unanswered(const Turn& turn) {
  auto& state = turn.state;
  state.accepts.new_session(turn.now);
  state.kills.new_session(turn.now);
  send_due_accepts(turn);
  send_due_kills(turn);
  for (const auto job : std::exchange(state.owed.releases, {})) {
    turn.to_allocator(Release{state.identity.id, job});
  }
}

}  // namespace

void start(const Turn& turn) {
  auto& state = turn.state;
  state.allocator.phase = Phase::away;
  state.allocator.session.attempt_at_once(turn.now);
  restore(turn);
  call_scheduler(turn, [&](Driver& driver) { state.scheduler.started(driver); });
}

void subscribe(const Turn& turn) {
  auto& state = turn.state;
  const auto& config = state.config;
  const bool claims = config.given && state.allocator.framework_epoch == 0;
  const auto epoch = claims ? config.given->epoch : state.allocator.framework_epoch;
  state.allocator.session.attempted(state.random, turn.now);
  turn.to_allocator(Subscribe{state.identity.id, config.name, config.pool, config.user,
                              config.failover_timeout, state.demand.to_send(),
                              std::string(enum_name(kPriorities, config.priority)), state.identity.secret,
                              config.instance, epoch, claims});
}

void handle(const Turn& turn, const MessageReceived& in, const Subscribed& subscribed) {
  auto& state = turn.state;
  auto& allocator = state.allocator;
  if (in.envelope.session.value == 0 || subscribed.framework.value.is_nil()) {
    return allocator.session.heard(turn.now);  // no session that could be used
  }
  if (is_twin(allocator.server, in.envelope, subscribed)) return refuse_twin(turn);
  const bool had_one = allocator.session.open();
  if (!allocator.session.begin(in.envelope, subscribed.heartbeat, turn.now)) return;
  if (had_one) tell_disconnected(turn);
  if (state.identity.id != subscribed.framework) give_up_identity(turn);
  if (state.finished()) return;
  state.identity = {subscribed.framework, subscribed.secret};
  state.tasks.belong_to(subscribed.framework);
  allocator.phase = Phase::open;
  allocator.refused.reset();
  allocator.revives = 0;
  state.views.watch.reset();
  if (note_server(turn, in.envelope, subscribed)) doubt_all(turn);
  if (allocator.leaving) return leave(turn);
  send_unanswered(turn);
  call_scheduler(turn, [&](Driver& driver) { state.scheduler.subscribed(driver, subscribed); });
}

void handle(const Turn& turn, const MessageReceived& in, const ErrorMessage& message) {
  auto& state = turn.state;
  const auto& error = message.error;
  if (error.code == ErrorCode::fenced) {
    return fail(turn, {error.code, "another process has taken this framework over; this one stops"});
  }
  const bool stranger =
      error.code == ErrorCode::unknown_session || error.code == ErrorCode::unknown_framework;
  if (stranger || error.code == ErrorCode::wrong_cluster) lose_session(turn);
  if (error.code == ErrorCode::unknown_framework && state.config.given && !state.allocator.leaving) {
    fail(turn, {ErrorCode::fenced, "the allocator has given this framework up; this process stops"});
  } else if (error.code == ErrorCode::unknown_framework) {
    give_up_identity(turn);
    if (state.allocator.leaving) return finish(turn);
    state.allocator.session.attempt_at_once(turn.now);
  } else if (state.allocator.phase == Phase::away && is_about_subscribe(in.envelope, message)) {
    refused_to_subscribe(turn, error);
  } else {
    note_complaint(turn, message);
  }
}

void handle(const Turn& turn, const MessageReceived&, const Bye&) { lose_session(turn); }

void lose_session(const Turn& turn) {
  auto& state = turn.state;
  if (!state.in_session()) return;
  state.allocator.phase = Phase::away;
  state.allocator.session.end(state.random, turn.now);
  tell_disconnected(turn);
}

void fail(const Turn& turn, const Error& error) {
  auto& state = turn.state;
  if (state.in_session()) {
    state.allocator.session.abandon();
    state.allocator.phase = Phase::away;
  }
  // Its work may be another process's, or go on elsewhere: nothing is asked for, and no note forgotten.
  auto calls = calls_of(turn, [&](Driver& driver) { state.scheduler.failed(driver, error); });
  std::erase_if(calls, [](const Driver::Call& call) { return !std::holds_alternative<Trace>(call); });
  carry_out(turn, std::move(calls));
  finish(turn);
}

void beat(const Turn& turn) {
  auto heartbeat = turn.state.allocator.session.beat();
  heartbeat.demand = turn.state.demand.to_send();
  heartbeat.tasks = turn.state.tasks.digest();
  heartbeat.revives = turn.state.allocator.revives;
  heartbeat.suppressed = turn.state.demand.suppressed();
  heartbeat.all_suppressed = turn.state.demand.all_suppressed();
  turn.to_allocator(std::move(heartbeat));
}

// A framework that was never admitted has nothing to take down. Without a session one is asked for, or all
// that it runs would go on for its failover timeout.
void leave(const Turn& turn) {
  auto& state = turn.state;
  state.allocator.leaving = true;
  if (state.in_session()) turn.to_allocator(Teardown{});
  if (state.in_session() || state.identity.id.value.is_nil()) finish(turn);
}

}  // namespace proffer::frameworks
