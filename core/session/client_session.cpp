#include "proffer/session/client_session.hpp"

#include <utility>

#include "proffer/check.hpp"

namespace proffer::session {

bool may_pass(ErrorCode code) {
  return code == ErrorCode::unknown_session || code == ErrorCode::slow_down ||
         code == ErrorCode::unreachable || code == ErrorCode::timed_out || code == ErrorCode::io;
}

ClientSession::ClientSession(const Settings& settings)
    : settings_(settings), backoff_(settings.retry_first, settings.retry_max) {}

// Cluster and epoch come first: session ids and numbers mean something within one life of a server only.
ClientSession::Verdict ClientSession::check(const Envelope& arrival, bool is_welcome, Time now) {
  const bool both_named = !cluster_.value.is_nil() && !arrival.cluster.value.is_nil();
  if (both_named && arrival.cluster != cluster_) return Verdict::other_cluster;
  if (arrival.epoch < epoch_) return Verdict::drop;
  const bool later = std::exchange(epoch_, arrival.epoch) < arrival.epoch;
  if (is_welcome) return Verdict::take;
  if (open() && later) return Verdict::restarted;
  if (!belongs(arrival)) return Verdict::drop;
  heartbeats_.heard(now);
  return Verdict::take;
}

/// Returns whether an arrival that opens no session is of the open one. An ERROR without a session may be
/// about our hello, or say that the server does not know our session.
bool ClientSession::belongs(const Envelope& arrival) {
  if (std::holds_alternative<ErrorMessage>(arrival.message)) {
    const bool ours = arrival.session.value == 0 || arrival.session == id_;
    return ours || (!open() && settings_.takes_late_errors);
  }
  if (!open() || arrival.session != id_) return false;
  return received_.take(arrival.seq);
}

bool ClientSession::begin(const Envelope& welcome, Duration heartbeat, Time now) {
  PROFFER_CHECK(welcome.session.value != 0, "a session is never zero");
  heartbeats_.heard(now);
  if (welcome.session == id_) return false;
  cluster_ = welcome.cluster;
  id_ = welcome.session;
  sent_ = 0;
  received_ = {};
  received_.take(welcome.seq);
  heartbeats_.begin(heartbeat, settings_.silent_after, now);
  backoff_.reset();
  return true;
}

void ClientSession::end(Random& random, Time now) {
  if (!open()) return;
  abandon();
  delay_attempt(random, now);
}

void ClientSession::abandon() {
  id_ = {};
  heartbeats_.end();
}

void ClientSession::attempted(Random& random, Time now) {
  attempted_in_ = epoch_;
  delay_attempt(random, now);
}

std::optional<Time> ClientSession::next_deadline() const {
  if (!open()) return attempt_at_;
  return heartbeats_.next_deadline();
}

Envelope ClientSession::wrap(Message message, Time now) {
  heartbeats_.sent(now);
  return {cluster_, epoch_, id_, open() ? ++sent_ : 0, std::move(message)};
}

}  // namespace proffer::session
