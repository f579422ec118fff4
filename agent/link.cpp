#include "agent/link.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer {

Link::Link(Settings settings) : settings_(settings) {
  settings_.retry_first = std::max(settings.retry_first, Duration{4});
  settings_.retry_max = std::max(settings.retry_max, settings_.retry_first);
  delay_bound_ = settings_.retry_first;
}

// Full jitter: uniform below a bound that doubles, so that the agents of a server that failed come back
// spread out. Never nearer than a quarter of the first bound, or an attempt would overtake the answer to the
// last.
Duration Link::next_delay(Random& random) {
  const auto bound = static_cast<std::uint64_t>(delay_bound_.count());
  const Duration delay{static_cast<std::int64_t>(random.below(bound)) + 1};
  delay_bound_ = std::min(delay_bound_ * 2, settings_.retry_max);
  return std::max(delay, settings_.retry_first / 4);
}

void Link::woke(Time now) {
  const auto gap = now - std::exchange(woke_, now);
  if (beats() && gap > 2 * heartbeat_) heard_ = std::min(heard_ + gap, now);
}

Link::Verdict Link::check(const Envelope& arrival, bool is_welcome, Time now) {
  const bool named = !cluster_.value.is_nil() && !arrival.cluster.value.is_nil();
  if (named && arrival.cluster != cluster_) return Verdict::other_cluster;
  if (arrival.epoch < epoch_) return Verdict::drop;
  const bool later = arrival.epoch > epoch_;
  epoch_ = arrival.epoch;
  if (is_welcome) return Verdict::take;
  if (open() && later) return Verdict::restarted;
  const bool is_error = std::holds_alternative<ErrorMessage>(arrival.message);
  const bool ours = arrival.session == session_ || (is_error && arrival.session.value == 0);
  if (!ours || (!open() && !is_error)) return Verdict::drop;
  heard_ = now;
  return Verdict::take;
}

bool Link::is_newest(const Envelope& arrival) {
  if (arrival.seq != 0 && arrival.seq <= received_) return false;
  received_ = std::max(received_, arrival.seq);
  return true;
}

bool Link::begin(const Envelope& welcome, Duration heartbeat, Time now) {
  PROFFER_CHECK(welcome.session.value != 0, "a session is never zero");
  heard_ = now;
  if (welcome.session == session_) return false;
  cluster_ = welcome.cluster;
  session_ = welcome.session;
  sent_ = received_ = 0;
  heartbeat_ = heartbeat;
  silent_after_ = std::max(settings_.silent_after, 3 * heartbeat);
  sent_at_ = woke_ = now;
  delay_bound_ = settings_.retry_first;
  return true;
}

void Link::end(Random& random, Time now) {
  if (!open()) return;
  session_ = {};
  attempted(random, now);
}

std::optional<Time> Link::next_deadline() const {
  if (!open()) return attempt_at_;
  if (!beats()) return {};
  return std::min(sent_at_ + heartbeat_, heard_ + silent_after_);
}

Envelope Link::wrap(Message message, Time now) {
  sent_at_ = now;
  return {cluster_, epoch_, session_, open() ? ++sent_ : 0, std::move(message)};
}

}  // namespace proffer
