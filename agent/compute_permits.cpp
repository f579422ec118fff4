#include "agent/compute_permits.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::agent {

void ComputePermits::ask(LaunchId launch) {
  const bool waits = std::find(waiting_.begin(), waiting_.end(), launch) != waiting_.end();
  if (!waits && !computing_.contains(launch)) waiting_.push_back(launch);
}

void ComputePermits::ended(LaunchId launch) {
  if (computing_.erase(launch) == 0) std::erase(waiting_, launch);
}

std::vector<LaunchId> ComputePermits::grant() {
  std::vector<LaunchId> granted;
  while (!waiting_.empty() && has_room()) {
    granted.push_back(waiting_.front());
    computing_.insert(waiting_.front());
    waiting_.pop_front();
  }
  return granted;
}

void ComputePermits::check_invariants() const {
  PROFFER_CHECK(most_ == 0 || computing_.size() <= most_, "more reduces compute than may");
  PROFFER_CHECK(waiting_.empty() || !has_room(), "a reduce waits although there is room");
}

}  // namespace proffer::agent
