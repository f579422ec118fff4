#include "live/host/loop.hpp"

#include <utility>

namespace proffer::live {

Result<> Loop::run(const Stop* stop) {
  left_ = false;
  while (!left_ && !error_ && (stop == nullptr || !stop->requested())) turn({}, stop);
  return take_failure();
}

Result<> Loop::take_failure() {
  if (error_) return *std::exchange(error_, {});
  return {};
}

void Loop::turn(std::optional<Duration> at_most, const Stop* stop) {
  PollSet polled;
  if (at_most) polled.wake_at(steady_now() + *at_most);
  if (stop != nullptr) polled.add_fd(stop->fd());
  for (auto* part : parts_) part->prepare(polled);
  std::optional<Duration> timeout;
  if (const auto earliest = polled.earliest()) timeout = std::max(*earliest - steady_now(), Duration::zero());
  Poller poller;
  poller.wait(polled.wanted(), timeout);
  const Readiness ready(poller, polled.wanted());
  const auto now = steady_now();
  for (auto* part : parts_) part->turn(ready, now);
}

void Loop::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

}  // namespace proffer::live
