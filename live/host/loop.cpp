#include "live/host/loop.hpp"

#include <utility>

namespace proffer::live {

Result<> Loop::run(const Stop* stop) {
  left_ = false;
  while (!left_ && !error_ && (stop == nullptr || !stop->requested())) turn({}, stop);
  if (error_) return *std::exchange(error_, {});
  return {};
}

void Loop::turn(std::optional<Duration> at_most, const Stop* stop) {
  Wishes wishes;
  if (at_most) wishes.at(steady_now() + *at_most);
  if (stop != nullptr) wishes.fd(stop->fd());
  for (auto* part : parts_) part->want(wishes);
  std::optional<Duration> timeout;
  if (const auto earliest = wishes.earliest()) timeout = std::max(*earliest - steady_now(), Duration::zero());
  Poller poller;
  poller.wait(wishes.wanted(), timeout);
  const Readiness ready(poller, wishes.wanted());
  const auto now = steady_now();
  for (auto* part : parts_) part->turn(ready, now);
}

void Loop::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

}  // namespace proffer::live
