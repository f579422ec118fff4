#include "allocator/peers/subscribe_rules.hpp"

#include "proffer/limits.hpp"

namespace proffer::allocator {

std::string pools_of(const ShareTree& tree) {
  constexpr std::size_t kMost = 20;
  const auto pools = tree.pools(Kind("any"));
  std::string names;
  for (std::size_t i = 1; i < pools.size() && i <= kMost; ++i) {
    names += (names.empty() ? "'" : ", '") + pools[i].name + "'";
  }
  if (names.empty()) return "this cluster has none";
  return "the pools are " + names + (pools.size() > kMost + 1 ? ", ..." : "");
}

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
    return Error{ErrorCode::unknown_pool, "there is no pool '" + pool + "'; " + pools_of(tree)};
  }
  return {};
}

}  // namespace proffer::allocator
