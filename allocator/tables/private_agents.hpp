// Agents that are some pool's alone for a while: assigned when its frameworks want slots, returned when they
// have wanted nothing for some time (Hadoop On Demand). Chance decides which agents a pool gets: the
// allocator does not know the data on them.
//
// Invariant: an agent is private to at most one eligibility class, and admits that one only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "allocator/tables/eligibility.hpp"
#include "allocator/tables/indices.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

class PrivateAgents {
 public:
  struct Lease {
    std::uint32_t wanted = 0;  ///< agents, all together
    Duration return_after{};
    std::set<AgentIndex> agents = {};
    std::optional<Time> asked = {};  ///< since when its frameworks want slots and it has no agents
    std::optional<Time> idle = {};   ///< since when it has agents and they want nothing
  };

  explicit PrivateAgents(const Eligibility& eligibility);

  /// Adopts other rules. Classes that `kept` maps to a number in `next` keep their agents; the agents of
  /// others are nobody's.
  void renumber(const std::map<std::size_t, std::size_t>& kept, const Eligibility& next);

  bool any() const { return !leases_.empty(); }
  std::map<std::size_t, Lease>& by_class() { return leases_; }
  std::optional<std::size_t> owner(AgentIndex agent) const;
  void assign(std::size_t to, AgentIndex agent);
  void release(AgentIndex agent);
  /// Returns the classes that the rules of eligibility admit to the agent, less those that may not have it
  /// since it is private, or since they have private agents only.
  std::vector<bool> admits(AgentIndex agent, std::vector<bool> by_rule) const;
  std::optional<Time> next_return() const;

 private:
  std::map<std::size_t, Lease> leases_;  // by class
  std::map<AgentIndex, std::size_t> owners_;
};

}  // namespace proffer::allocator
