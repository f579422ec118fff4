#include "live/worker/feed.hpp"

namespace proffer::live {
namespace {

constexpr auto kPatience = std::chrono::seconds(5);

}  // namespace

Result<std::optional<MoreInputs>> Feed::next() {
  while (!complete_) {
    auto more = instructions_.more_inputs(kPatience);
    if (!more) return more;
    const bool lost_one = *more && (*more)->from > told_;
    if (!*more || lost_one) {
      teller_.wants(told_);
      continue;
    }
    if ((*more)->from < told_) continue;  // told before
    told_ = (*more)->to;
    complete_ = (*more)->complete;
    return more;
  }
  return std::optional<MoreInputs>{};
}

}  // namespace proffer::live
