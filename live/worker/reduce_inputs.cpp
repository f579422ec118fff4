#include "live/worker/reduce_inputs.hpp"

namespace proffer::live {
namespace {

constexpr auto kAskAgainAfter = std::chrono::seconds(5);

}  // namespace

Result<std::optional<MoreInputs>> ReduceInputs::next() {
  while (!complete_) {
    auto more = instructions_.more_inputs(kAskAgainAfter);
    if (!more) return more;
    const bool lost_one = *more && (*more)->from > received_;
    if (!*more || lost_one) {
      reports_.ask_for_inputs(received_);
      continue;
    }
    if ((*more)->from < received_) continue;  // told before
    received_ = (*more)->to;
    complete_ = (*more)->complete;
    return more;
  }
  return std::optional<MoreInputs>{};
}

}  // namespace proffer::live
