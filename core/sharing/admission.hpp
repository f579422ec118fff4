// Admission: the leaves that have a place under the limits of pools and users, and those that wait for one
// (SEMANTICS §1, limits). Places are given by priority, then submit time, then name, from scratch each time:
// the result depends on who is there, never on the order of events, as in the Hadoop Fair Scheduler.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/sharing/nodes.hpp"

namespace proffer::sharing {

class Admission {
 public:
  void set_user_limit(const std::string& user, std::optional<std::uint32_t> most);
  /// Returns the leaves that wait and should not, or the other way round, by node. Must be asked after a
  /// change of shape; costs O(leaves * depth) where there is any limit, and nothing else.
  std::vector<NodeIndex> misplaced(const Nodes& nodes) const;

 private:
  class Places;
  std::map<std::string, std::uint32_t> user_limits_;  // limits over all pools
};

}  // namespace proffer::sharing
