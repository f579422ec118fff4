#include "live/host/agent_watch.hpp"

#include <utility>

#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

/// A restarted agent may find its name taken by its former self for as long as the allocator has not noticed.
constexpr Duration kNameMayBeFreed = std::chrono::seconds(10);

}  // namespace

void AgentWatch::prepare(PollSet& polled) {
  if (refused_since_) polled.wake_at(*refused_since_ + kNameMayBeFreed);
}

void AgentWatch::turn(const Readiness&, Time now) {
  was_taken_ = was_taken_ || agent_.registered();
  if (agent_.registered() && effects_.known_to_catalog() && !std::exchange(announced_, true)) ready_(line_);
  if (const auto error = agent_.refused()) return refused(*error, now);
  refused_since_.reset();
  logged_.clear();
}

/// An agent that was never taken says why and ends; one that was goes on trying, since it may have tasks.
void AgentWatch::refused(const Error& error, Time now) {
  if (std::exchange(logged_, error.message) != error.message) log::error(error.message);
  if (was_taken_ || error.code == ErrorCode::slow_down) return;
  if (!refused_since_) refused_since_ = now;
  const bool may_pass = error.code == ErrorCode::name_in_use && now - *refused_since_ < kNameMayBeFreed;
  if (!may_pass) loop_.fail(error);
}

}  // namespace proffer::live
