#include "frameworks/policies/wait_clock.hpp"

#include <algorithm>

namespace proffer::policies {

void WaitClock::tick(Duration since_last, bool complete, const WaitSettings& settings) {
  // First: judges the round that is over by marks that are cleared below.
  if (settings.reset == ResetRule::no_rejects) end_round(complete);
  const bool runs = waiting_ || skipped_;
  if (runs) wait_ += since_last;
  // Slots that the job let pass are hidden until its next level, so a message without such slots does not
  // stop the clock. By pro_rata that holds for slots that nobody else took.
  waiting_ = runs && (settings.reset == ResetRule::share_aware ||
                      (settings.reset == ResetRule::pro_rata && (waiting_ || left_)));
  skipped_ = false;
  left_ = false;
  launched_.reset();
}

void WaitClock::end_round(bool complete) {
  if (skipped_) {
    passed_since_reset_ = true;
  } else if (launched_ && (complete || !passed_since_reset_)) {
    reset(*launched_);
  }
}

void WaitClock::reset(Locality level) {
  wait_ = Duration::zero();
  level_ = level;
  waiting_ = false;
  passed_since_reset_ = false;
}

void WaitClock::skip() { skipped_ = true; }

/// The tasks that a job holds back are served one after the other, so each waits for half of them on the
/// average: hence twice.
void WaitClock::pay_back(std::int64_t held_back, const WaitSettings& settings) {
  const auto whole = settings.node_wait + settings.rack_wait;
  wait_ = std::min(wait_, whole) - 2 * whole / held_back;
  if (wait_ <= Duration::zero()) reset(Locality::node);
}

void WaitClock::launch(Locality locality, Due due, const WaitSettings& settings) {
  launched_ = std::min(locality, launched_.value_or(locality));
  switch (settings.reset) {
    case ResetRule::pro_rata:
      if (locality == Locality::node) pay_back(due.held_back(), settings);
      return;
    case ResetRule::on_launch:
      return reset(locality);
    case ResetRule::on_local_launch:
      if (locality == Locality::node) reset(locality);
      return;
    case ResetRule::share_aware:
      if (due.half_is_near()) reset(locality);
      return;
    case ResetRule::to_node:
      return reset(Locality::node);
    case ResetRule::never:
    case ResetRule::no_rejects:
      return;
  }
}

Locality WaitClock::allowed(const WaitSettings& settings) const {
  const auto until_any =
      level_ == Locality::node ? settings.node_wait + settings.rack_wait : settings.rack_wait;
  if (level_ == Locality::any || wait_ >= until_any) return Locality::any;
  return level_ == Locality::rack || wait_ >= settings.node_wait ? Locality::rack : Locality::node;
}

Locality WaitClock::allowed(bool idle, const WaitSettings& settings) const {
  return !idle && wait_ < settings.fresh_wait ? Locality::node : allowed(settings);
}

std::optional<Duration> WaitClock::until_next_level(const WaitSettings& settings) const {
  const auto now = allowed(settings);
  if (now == Locality::any || !(waiting_ || skipped_)) return {};
  const auto node_part = level_ == Locality::node ? settings.node_wait : Duration::zero();
  return node_part + (now == Locality::rack ? settings.rack_wait : Duration::zero()) - wait_;
}

}  // namespace proffer::policies
