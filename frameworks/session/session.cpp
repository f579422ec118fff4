#include "frameworks/session/session.hpp"

#include <utility>

#include "proffer/check.hpp"

namespace proffer {

bool SeqWindow::take(std::uint64_t seq) {
  constexpr std::uint64_t kWidth = 64;
  if (seq == 0) return true;
  if (seq > newest_) {
    const auto step = seq - newest_;
    seen_ = step >= kWidth ? 0 : seen_ << step;
    seen_ |= 1;
    newest_ = seq;
    return true;
  }
  const auto behind = newest_ - seq;
  if (behind >= kWidth) return false;
  const auto bit = std::uint64_t{1} << behind;
  if ((seen_ & bit) != 0) return false;
  seen_ |= bit;
  return true;
}

Session::Verdict Session::check(const Envelope& arrival) {
  if (!cluster_.value.is_nil() && !arrival.cluster.value.is_nil() && arrival.cluster != cluster_) {
    return Verdict::other_cluster;
  }
  if (arrival.epoch < epoch_) return Verdict::drop;
  const bool later = arrival.epoch > epoch_;
  epoch_ = arrival.epoch;
  if (std::holds_alternative<Subscribed>(arrival.message)) return Verdict::take;
  if (open() && later) return Verdict::restarted;
  if (std::holds_alternative<ErrorMessage>(arrival.message)) {
    const bool ours = arrival.session.value == 0 || arrival.session == id_;
    return ours || !open() ? Verdict::take : Verdict::drop;
  }
  if (!open() || arrival.session != id_) return Verdict::drop;
  return received_.take(arrival.seq) ? Verdict::take : Verdict::drop;
}

bool Session::begin(const Envelope& subscribed) {
  PROFFER_CHECK(subscribed.session.value != 0, "a session is never zero");
  if (subscribed.session == id_) return false;
  cluster_ = subscribed.cluster;
  id_ = subscribed.session;
  sent_ = 0;
  received_ = {};
  received_.take(subscribed.seq);
  return true;
}

Envelope Session::wrap(Message message) {
  return {cluster_, epoch_, id_, open() ? ++sent_ : 0, std::move(message)};
}

}  // namespace proffer
