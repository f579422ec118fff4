#include "live/store/fetch_queue.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::live {

bool FetchQueue::add(PeerId reader, Fetch fetch) {
  auto& open = open_[reader];
  if (open.size() >= kFetchCredit) return false;
  if (open.empty()) turns_.push_back(reader);
  open.push_back(std::move(fetch));
  return true;
}

void FetchQueue::forget(PeerId reader) {
  if (open_.erase(reader) != 0) turns_.erase(std::find(turns_.begin(), turns_.end(), reader));
}

std::pair<PeerId, Fetch> FetchQueue::take() {
  PROFFER_CHECK(!turns_.empty(), "no request is open");
  const auto reader = turns_.front();
  turns_.pop_front();
  auto& open = open_.at(reader);
  std::pair<PeerId, Fetch> taken{reader, std::move(open.front())};
  open.pop_front();
  if (open.empty()) {
    open_.erase(reader);
  } else {
    turns_.push_back(reader);
  }
  return taken;
}

}  // namespace proffer::live
