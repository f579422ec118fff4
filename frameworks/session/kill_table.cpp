#include "frameworks/session/kill_table.hpp"

#include <utility>

namespace proffer::frameworks {
namespace {
constexpr Duration kKillRetry = std::chrono::seconds(1);
constexpr Duration kLongestKillRetry = std::chrono::seconds(10);
}  // namespace

void KillTable::want(Kill kill, Time now) {
  auto task = kill.task;
  wanted_.insert_or_assign(std::move(task),
                           Wanted{std::move(kill), session::Resend(kKillRetry, kLongestKillRetry, now)});
}

std::vector<const Kill*> KillTable::take_due(Time now) {
  std::vector<const Kill*> due;
  for (auto& [task, wanted] : wanted_) {
    if (!wanted.resend.is_due(now)) continue;
    wanted.resend.sent(now);
    due.push_back(&wanted.kill);
  }
  return due;
}

void KillTable::new_session(Time now) {
  for (auto& [task, wanted] : wanted_) wanted.resend.hurry(now);
}

std::optional<Time> KillTable::next_deadline() const {
  std::optional<Time> next;
  for (const auto& [task, wanted] : wanted_) next = earlier(next, wanted.resend.at());
  return next;
}

}  // namespace proffer::frameworks
