#include "frameworks/policies/observed.hpp"

#include <limits>

namespace proffer::policies {
namespace {

/// Releases of more than this time of waiting ago count half, then a quarter, and so on.
constexpr Duration kMemory = std::chrono::seconds(60);

}  // namespace

void Observed::passed(Duration passed, std::int64_t running, bool waiting) {
  slot_time_ += passed * running;
  waiting_ = waiting;
  if (!waiting) return;
  waited_ += passed;
  if (waited_ < kMemory || releases_ < 2) return;
  waited_ /= 2;
  releases_ /= 2;
}

void Observed::offered(AgentId agent, bool freed) {
  agents_.insert(agent);
  if (freed && waiting_) ++releases_;
}

std::optional<Duration> Observed::time_for(std::int64_t skips) const {
  if (releases_ == 0) return {};
  const auto most = std::numeric_limits<Duration::rep>::max();
  if (waited_.count() > 0 && skips > most / waited_.count()) return Duration{most / releases_};
  return Duration{waited_.count() * skips / releases_};
}

std::optional<Duration> Observed::task_time(std::int64_t running) const {
  if (launched_ <= running) return {};
  return slot_time_ / (launched_ - running);
}

}  // namespace proffer::policies
