// The reason for which an offer was declined: a closed list, so that it can be counted, traced, shown and
// plotted.
#pragma once

#include <cstdint>
#include <string_view>

namespace proffer {

enum class DeclineReason : std::uint8_t {
  no_node_local = 0,    ///< the framework waits for a node that holds its data
  no_rack_local = 1,    ///< the framework waits for a rack that holds its data
  too_small = 2,        ///< no pending task fits into the offer
  no_pending_task = 3,  ///< nothing to run at present
  policy = 4,           ///< the policy's own rule, none of the above
  other = 5,            ///< any reason of a framework that is not proffer's
};
inline constexpr int kDeclineReasons = 6;

std::string_view to_string(DeclineReason reason);

}  // namespace proffer
