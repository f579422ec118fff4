#include "live/http/board.hpp"

#include <algorithm>
#include <utility>

#include "proffer/live/port.hpp"

namespace proffer::live {

void Board::show(std::shared_ptr<const Snapshot> snapshot, Time now) {
  {
    const std::scoped_lock lock(mutex_);
    newest_ = std::move(snapshot);
    made_ = now;
    ++shown_;
  }
  changed_.notify_all();
}

void Board::add(std::shared_ptr<const HistorySample> sample) {
  const std::scoped_lock lock(mutex_);
  samples_.push_back(std::move(sample));
  if (samples_.size() > kSamples) samples_.pop_front();
}

std::shared_ptr<const Snapshot> Board::fresh(Duration patience) {
  std::unique_lock lock(mutex_);
  if (closed_) return {};
  if (newest_ && steady_now() < made_ + kFresh) return newest_;
  const auto before = shown_;
  asked_.notify();
  changed_.wait_for(lock, patience, [&] { return closed_ || shown_ != before; });
  if (closed_ || (shown_ == before && steady_now() >= made_ + kOld)) return {};
  return newest_;
}

std::vector<std::shared_ptr<const HistorySample>> Board::history(std::int64_t since_ms) const {
  const std::scoped_lock lock(mutex_);
  const auto first = std::find_if(samples_.begin(), samples_.end(),
                                  [&](const auto& sample) { return sample->at_ms >= since_ms; });
  return {first, samples_.end()};
}

void Board::close() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

}  // namespace proffer::live
