#include "live/host/showing.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "live/http/sampling.hpp"

namespace proffer::live {
namespace {

/// Times are for people and for Prometheus alone: nothing is decided by this clock.
std::int64_t ms_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

/// Returns the time until the next look, after one that began then.
Duration pause_after(Time began, Duration least) {
  return std::max(least, Showing::kPauseFactor * (steady_now() - began));
}

}  // namespace

Showing::Showing(const Allocator& allocator, const Counting& counting, Board& board, Nameplate nameplate)
    : allocator_(allocator),
      counting_(counting),
      board_(board),
      nameplate_(std::move(nameplate)),
      started_ms_(ms_since_1970()) {}

void Showing::prepare(PollSet& polled) {
  polled.add_fd(board_.fd());
  polled.wake_at(next_sample_);
  if (asked_) polled.wake_at(not_before_);
}

void Showing::turn(const Readiness& ready, Time now) {
  if (ready.fd(board_.fd()) && board_.take_request()) asked_ = true;
  if (asked_ && now >= not_before_) {
    const auto began = steady_now();
    asked_ = false;
    shown_ = look();
    board_.show(shown_, now);
    not_before_ = now + pause_after(began, Board::kFresh);
  }
  if (now < next_sample_) return;
  const auto began = steady_now();
  board_.add(std::make_shared<const HistorySample>(
      sample_of(allocator_.view(0), counting_.tally(), ms_since_1970())));
  next_sample_ = now + pause_after(began, kSampleEvery);
}

std::shared_ptr<const Snapshot> Showing::look() const {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->view = allocator_.view(kTasksShown);
  const bool same = shown_ && shown_->view == snapshot->view;
  snapshot->version = shown_ ? shown_->version + (same ? 0 : 1) : 1;
  snapshot->at_ms = ms_since_1970();
  snapshot->started_ms = started_ms_;
  snapshot->program = nameplate_.program;
  snapshot->cluster = nameplate_.cluster;
  snapshot->epoch = nameplate_.epoch;
  snapshot->tally = counting_.tally();
  return snapshot;
}

void TimedMachine::step(const Event& event, Actions& actions, Time now) {
  const auto began = steady_now();
  machine_.step(event, actions, now);
  counting_.note_step(static_cast<double>(to_us(steady_now() - began)) / 1e6);
}

}  // namespace proffer::live
