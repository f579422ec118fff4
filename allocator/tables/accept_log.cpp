#include "allocator/tables/accept_log.hpp"

#include <utility>

#include "proffer/limits.hpp"

namespace proffer::allocator {

const Accepted* AcceptLog::find(std::uint64_t accept) const {
  const auto found = answers_.find(accept);
  return found == answers_.end() ? nullptr : &found->second;
}

bool AcceptLog::too_old(std::uint64_t accept) const {
  return answers_.size() >= limits::kAcceptsRemembered && accept < answers_.begin()->first;
}

void AcceptLog::remember(Accepted answer) {
  const auto number = answer.accept;
  answers_.insert_or_assign(number, std::move(answer));
  if (answers_.size() > limits::kAcceptsRemembered) answers_.erase(answers_.begin());
}

}  // namespace proffer::allocator
