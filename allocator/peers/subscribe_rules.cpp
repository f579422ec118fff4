#include "allocator/peers/subscribe_rules.hpp"

#include "proffer/limits.hpp"

namespace proffer::allocator {

std::optional<Error> refuse_subscribe(const Subscribe& message, const std::string& pool,
                                      const ShareTree& tree) {
  if (!valid_name(message.name)) {
    return Error{ErrorCode::invalid, "a framework's name is 1-128 bytes of [A-Za-z0-9._-]"};
  }
  if (message.user.size() > limits::kNameBytes)
    return Error{ErrorCode::invalid, "the user's name is too long"};
  if (!priority_named(message.priority)) {
    return Error{ErrorCode::invalid, "there is no priority '" + message.priority +
                                         "': it is very-high, high, normal, low or very-low"};
  }
  if (message.failover_timeout < Duration::zero()) {
    return Error{ErrorCode::invalid, "the failover timeout is below zero"};
  }
  if (!tree.has_pool(pool)) {
    return Error{ErrorCode::unknown_pool, "there is no pool '" + pool + "'; " + pools_in_words(tree)};
  }
  return {};
}

}  // namespace proffer::allocator
