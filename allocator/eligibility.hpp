// Which agents a framework may be offered: a property of its pool. All by default; a fixed set for static
// partitions.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/allocator/allocator.hpp"
#include "proffer/topology.hpp"

namespace proffer::allocator {

/// Frameworks of one class may be offered the same agents. Class 0 may be offered all.
class Eligibility {
 public:
  explicit Eligibility(const std::vector<AllocatorPool>& pools);

  /// Of the frameworks of a pool: what it and all pools above it admit.
  std::size_t class_of(std::string_view pool) const;
  /// By class.
  std::vector<bool> admits(const AgentInfo& agent) const;
  std::size_t classes() const { return rules_.size(); }

 private:
  struct Rule {
    std::set<std::string> racks;
    std::set<std::string> agents;
    std::size_t above = 0;  // the class that restricts it further
    bool admits(const AgentInfo& agent) const {
      return racks.contains(agent.rack) || agents.contains(agent.name);
    }
  };
  std::vector<Rule> rules_;  // by class; the first is not looked at
  std::map<std::string, std::size_t, std::less<>> by_pool_;
};

}  // namespace proffer::allocator
