// Rules for SUBSCRIBE: it is well-formed, and its pool exists. Pure.
#pragma once

#include <optional>
#include <string>

#include "proffer/messages/framework.hpp"
#include "proffer/result.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::allocator {

/// Refuses a SUBSCRIBE that is malformed, or whose pool does not exist. `pool`: the message's, or the
/// default.
std::optional<Error> refuse_subscribe(const Subscribe& message, const std::string& pool,
                                      const ShareTree& tree);

}  // namespace proffer::allocator
