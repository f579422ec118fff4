// Eligibility: the agents that a framework may be offered, which is a property of its pool. All agents by
// default; a fixed set for static partitions; a changing one for pools that have agents of their own for a
// while (private_agents).
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

/// Eligibility classes: frameworks of one class may be offered the same agents. Class kAll may be offered
/// all.
class Eligibility {
 public:
  static constexpr std::size_t kAll = 0;

  explicit Eligibility(const std::vector<AllocatorPool>& pools);

  /// Returns the class of a pool's frameworks, who may have the agents that it and all pools above it admit.
  std::size_t class_of(std::string_view pool) const;
  /// Returns the pool of a class; "" for class kAll as well.
  std::string_view pool_of(std::size_t number) const;
  /// Returns, by class, whether the agent may be offered to it.
  std::vector<bool> admits(const AgentInfo& agent) const;
  /// Returns whether the agent may be offered to one class.
  bool admits(const AgentInfo& agent, std::size_t number) const;
  /// Agents that a class has for itself for a while.
  struct Lease {
    std::uint32_t agents = 0;
    Duration return_after{};
    bool operator==(const Lease&) const = default;
  };
  /// Returns the classes that have agents for themselves, by class.
  const std::map<std::size_t, Lease>& leases() const { return leases_; }
  std::size_t classes() const { return rules_.size(); }
  /// Returns the classes that `next` has as well, for the same pool and with the same rules: number here ->
  /// number in `next`.
  std::map<std::size_t, std::size_t> kept_in(const Eligibility& next) const;
  bool operator==(const Eligibility&) const = default;

 private:
  struct Rule {
    std::set<std::string> racks;
    std::set<std::string> agents;
    std::size_t above = 0;  // the class that restricts it further
    bool admits(const AgentInfo& agent) const {
      if (racks.empty() && agents.empty()) return true;
      return racks.contains(agent.rack) || agents.contains(agent.name);
    }
    bool operator==(const Rule&) const = default;
  };
  std::vector<Rule> rules_;  // by class; the first is not looked at
  std::map<std::string, std::size_t, std::less<>> by_pool_;
  std::map<std::size_t, Lease> leases_;
};

}  // namespace proffer::allocator
