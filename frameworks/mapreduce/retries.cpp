#include "frameworks/mapreduce/retries.hpp"

namespace proffer::mapreduce {

bool Retries::again(Step step, Time now, Duration patience) {
  ++in_vain_;
  if (!since_) since_ = now;
  if (now - *since_ >= patience) return false;
  step_ = step;
  at_ = now + kPause;
  return true;
}

void Retries::answered() {
  in_vain_ = 0;
  since_.reset();
}

std::optional<Step> Retries::take_due(Time now) {
  if (!at_ || *at_ > now) return {};
  at_.reset();
  return step_;
}

}  // namespace proffer::mapreduce
