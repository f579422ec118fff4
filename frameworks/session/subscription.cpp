// Coming and going: SUBSCRIBE, SUBSCRIBED, ERROR, HEARTBEAT, and what follows from a lost session.
#include <string>
#include <utility>

#include "frameworks/session/framework_impl.hpp"

namespace proffer {
namespace {

/// Errors after which the same SUBSCRIBE may succeed later.
bool passes(ErrorCode code) {
  return code == ErrorCode::unknown_session || code == ErrorCode::slow_down ||
         code == ErrorCode::unreachable || code == ErrorCode::timed_out || code == ErrorCode::io;
}

}  // namespace

void Framework::Impl::send(Message message, Turn turn) {
  pulse.sent(turn.now);
  turn.actions.push_back(Send{kAllocatorPeer, session.wrap(std::move(message))});
}

void Framework::Impl::start(Turn turn) {
  phase = Phase::away;
  subscribe_at = turn.now;
  callback([this](Driver& driver) { scheduler.started(driver); }, turn);
}

void Framework::Impl::subscribe(Turn turn) {
  subscribed_in = session.epoch();
  subscribe_at = turn.now + backoff.next(random);
  send(Subscribe{id, config.name, config.pool, config.user, config.failover_timeout, demand.to_send(),
                 std::string(kPriorities.at(static_cast<std::size_t>(config.priority))), secret},
       turn);
}

void Framework::Impl::on_subscribed(const Envelope& envelope, Turn turn) {
  const auto& subscribed = std::get<Subscribed>(envelope.message);
  if (envelope.session.value == 0 || subscribed.framework.value.is_nil())
    return;  // no session that could be used
  const bool had_one = session.open();
  if (!session.begin(envelope)) return;
  if (had_one) {
    offers.clear();
    callback([this](Driver& driver) { scheduler.disconnected(driver); }, turn);
  }
  if (!id.value.is_nil() && id != subscribed.framework) give_up_identity(turn);
  if (phase == Phase::finished) return;
  id = subscribed.framework;
  secret = subscribed.secret;
  phase = Phase::open;
  refused.reset();
  if (leaving) return leave(turn);
  backoff.reset();
  pulse.begin(subscribed.heartbeat, config.allocator_silent_after, turn.now);
  // What is open goes first: accept numbers rise within a session, too.
  accepts.new_session(turn.now);
  kills.new_session(turn.now);
  send_due_accepts(turn);
  send_due_kills(turn);
  for (const auto job : std::exchange(late_releases, {})) send(Release{id, job}, turn);
  callback([&](Driver& driver) { scheduler.subscribed(driver, subscribed); }, turn);
}

void Framework::Impl::on_error(const ErrorMessage& message, Turn turn) {
  const auto& error = message.error;
  const bool stranger =
      error.code == ErrorCode::unknown_session || error.code == ErrorCode::unknown_framework;
  if (phase == Phase::open && (stranger || error.code == ErrorCode::wrong_cluster)) lose_session(turn);
  if (error.code == ErrorCode::unknown_framework) {
    give_up_identity(turn);
    if (leaving) return finish();
    subscribe_at = turn.now;
  } else if (phase == Phase::away) {
    refused_to_subscribe(error, turn);
  } else if (phase == Phase::open) {
    turn.actions.push_back(
        Emit{MessageRefused{"message " + std::to_string(message.about_seq), error.code, error.message}});
  }
}

void Framework::Impl::refused_to_subscribe(const Error& error, Turn turn) {
  if (error.code == ErrorCode::slow_down) refused = error;
  if (passes(error.code)) return;
  // An answer of another cluster never gets here, so it is the epoch that was wrong: of this SUBSCRIBE, which
  // is worth another try now that we know better, or of something we had sent before.
  const bool named_one = subscribed_in.value != 0;
  if (error.code == ErrorCode::wrong_cluster && named_one) {
    subscribe_at = session.epoch() > subscribed_in ? turn.now : turn.now + backoff.next(random);
    return;
  }
  fail(error, turn);
}

void Framework::Impl::lose_session(Turn turn) {
  if (phase != Phase::open) return;
  phase = Phase::away;
  session.end();
  pulse.end();
  offers.clear();
  backoff.reset();
  subscribe_at = turn.now + backoff.next(random);
  callback([this](Driver& driver) { scheduler.disconnected(driver); }, turn);
}

/// The allocator does not know us (any more): whatever ran is being killed.
void Framework::Impl::give_up_identity(Turn turn) {
  if (id.value.is_nil()) return;
  accepts.clear();
  kills.clear();
  late_releases.clear();
  held.clear();
  for (const auto& task : tasks.all_current()) {
    report_end(task, TaskState::lost, TaskReason::framework_gone, "the allocator had given the framework up",
               turn);
  }
  id = {};
  secret = {};
  deliver_reported(turn);
}

void Framework::Impl::fail(const Error& error, Turn turn) {
  if (phase == Phase::open) {
    session.end();
    phase = Phase::away;
  }
  callback([&](Driver& driver) { scheduler.failed(driver, error); }, turn);
  finish();
}

void Framework::Impl::beat(Turn turn) { send(Heartbeat{++beats, demand.to_send()}, turn); }

/// Who was never admitted has nothing to take down. Without a session one is asked for, or all that it runs
/// would go on for its failover timeout.
void Framework::Impl::leave(Turn turn) {
  leaving = true;
  if (phase == Phase::open) send(Teardown{}, turn);
  if (phase == Phase::open || id.value.is_nil()) finish();
}

void Framework::Impl::finish() {
  phase = Phase::finished;
  session.end();
  pulse.end();
  offers.clear();
  accepts.clear();
  kills.clear();
  catalog.clear();
  reported.clear();
  held.clear();
}

}  // namespace proffer
