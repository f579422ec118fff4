#include "frameworks/session/accept_table.hpp"

#include <utility>

namespace proffer::frameworks {

const Accept& AcceptTable::open(Accept accept, Duration retry, Time now) {
  const auto number = next_++;
  accept.accept = number;
  return open_.emplace(number, Open{std::move(accept), Resend::starting(retry, now)}).first->second.accept;
}

std::optional<AcceptTable::Open> AcceptTable::close(std::uint64_t number) {
  auto node = open_.extract(number);
  if (node.empty()) return {};
  return std::move(node.mapped());
}

std::vector<const Accept*> AcceptTable::take_due(Time now) {
  std::vector<const Accept*> due;
  for (auto& [number, open] : open_) {
    if (open.resend.at > now) continue;
    open.resend.sent(now);
    due.push_back(&open.accept);
  }
  return due;
}

void AcceptTable::new_session(Time now) {
  for (auto& [number, open] : open_) {
    open.older_session = true;
    open.resend.at = now;
  }
}

std::optional<Time> AcceptTable::next_deadline() const {
  std::optional<Time> next;
  for (const auto& [number, open] : open_) next = earlier(next, open.resend.at);
  return next;
}

}  // namespace proffer::frameworks
