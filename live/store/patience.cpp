#include "live/store/patience.hpp"

#include <algorithm>
#include <utility>

namespace proffer::live {
namespace {

constexpr Duration kFirstPause = std::chrono::milliseconds(100);
constexpr Duration kLongestPause = std::chrono::seconds(2);
constexpr Duration kLookAtStop = std::chrono::milliseconds(100);

}  // namespace

bool Patience::again(const std::string& why) {
  const auto now = steady_now();
  if (now >= end_) return false;
  if (how_.waits && !std::exchange(announced_, true)) how_.waits(why, how_.at_most);
  if (pause_) {
    pause_->sent(now);
  } else {
    pause_.emplace(kFirstPause, kLongestPause, now);
  }
  const auto until = std::min(pause_->at(), end_);
  Poller poller;
  for (auto left = until - now; left > Duration::zero(); left = until - steady_now()) {
    if (how_.stop != nullptr && how_.stop->requested()) return false;
    poller.wait({}, std::min(left, kLookAtStop));
  }
  return true;
}

}  // namespace proffer::live
