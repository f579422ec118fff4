#include "frameworks/session/accept_table.hpp"

#include <utility>

namespace proffer::frameworks {
namespace {
constexpr Duration kLongestAcceptRetry = std::chrono::seconds(10);
}  // namespace

const Accept& AcceptTable::open(Accept accept, Duration retry, Time now) {
  const auto number = next_++;
  accept.accept = number;
  Open open{std::move(accept), session::Resend(retry, kLongestAcceptRetry, now)};
  return open_.emplace(number, std::move(open)).first->second.accept;
}

std::optional<AcceptTable::Open> AcceptTable::close(std::uint64_t number) {
  auto node = open_.extract(number);
  if (node.empty()) return {};
  return std::move(node.mapped());
}

std::vector<const Accept*> AcceptTable::take_due(Time now) {
  std::vector<const Accept*> due;
  for (auto& [number, open] : open_) {
    if (!open.resend.is_due(now)) continue;
    open.resend.sent(now);
    due.push_back(&open.accept);
  }
  return due;
}

void AcceptTable::new_session(Time now) {
  for (auto& [number, open] : open_) {
    open.older_session = true;
    open.resend.hurry(now);
  }
}

std::optional<Time> AcceptTable::next_deadline() const {
  std::optional<Time> next;
  for (const auto& [number, open] : open_) next = earlier(next, open.resend.at());
  return next;
}

}  // namespace proffer::frameworks
