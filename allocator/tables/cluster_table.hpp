// The agents, and the place of each of their slots. Invariants: per agent and kind, free + offered + used =
// total; and the agents on which something can be offered are listed per kind, in order of their ids, and
// counted per eligibility class.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "allocator/tables/agent_table.hpp"
#include "allocator/tables/indices.hpp"
#include "allocator/tables/slots.hpp"
#include "proffer/ids.hpp"
#include "proffer/resources.hpp"

namespace proffer::allocator {

class ClusterTable : public AgentTable {
 public:
  /// Removes an agent with its free slots. Aborts while it holds offers or tasks.
  void remove(AgentRecord& agent);

  // The ledger.
  /// Sets the slots that the agent has; those that are not used become one fresh lot per kind. Aborts while
  /// the agent has offers, or counts.
  void set_slots(AgentRecord& agent, const Resources& total, Stamp round);
  Slots* slots_of(AgentRecord& agent, Kind kind);
  std::int64_t free_units(const AgentRecord& agent, Kind kind) const;
  /// Returns whether that much is free on the agent.
  bool has_room(const AgentRecord& agent, const Resources& resources) const;
  /// free -> offered: `units` of the lot at `position`.
  Lot offer(AgentRecord& agent, Kind kind, std::size_t position, std::int64_t units);
  /// offered -> free.
  void give_back(AgentRecord& agent, Kind kind, Lots lots);
  /// offered -> used.
  void use_offered(AgentRecord& agent, Kind kind, std::int64_t units);
  /// used -> free, as a fresh lot. Units beyond the total, which the agent no longer has, vanish.
  void end_use(AgentRecord& agent, const Resources& resources, Stamp round);
  /// nowhere -> used: the tasks that a registering agent says it runs. To be called before set_slots().
  void claim(AgentRecord& agent, const Resources& resources);
  void unclaim_all(AgentRecord& agent);
  void no_longer_fresh(AgentRecord& agent, Kind kind);

  /// Makes the agent's slots part of the cluster's capacity, or not.
  void set_counted(AgentRecord& agent, bool counted);
  /// Returns the slots, of agents that count, that frameworks of an eligibility class may ever be offered.
  std::int64_t capacity(Kind kind, std::size_t eligibility) const;

  // The list of agents that can be offered.
  /// Sets the eligibility classes that may be offered the agent. Aborts while it counts.
  void set_admits(AgentRecord& agent, std::vector<bool> admits);
  void set_reach(AgentRecord& agent, Reach reach);
  void set_trouble(AgentRecord& agent, std::string why);
  void set_wish(AgentRecord& agent, AgentWish wish);
  static bool offerable(const AgentRecord& agent) {
    return agent.reach == Reach::live && agent.contact.session && agent.service.offerable();
  }
  /// Stops or allows offers of the agent's free slots of one kind.
  void close(const AgentRecord& agent, Slots& slots);
  void open(const AgentRecord& agent, Slots& slots);
  /// Lists the agent anew. To be called after its session came or went.
  void relist(AgentRecord& agent);
  using Listed = std::set<std::pair<AgentId, AgentIndex>>;
  const Listed& with_free(Kind kind) const;
  /// Returns whether some free slots may be offered to frameworks of an eligibility class.
  bool any_free(Kind kind, std::size_t eligibility) const;

  /// `settled`: no free slot waits for its first pass.
  void check_invariants(bool settled) const;

 private:
  using ByClass = std::vector<std::int64_t>;
  struct KindTotals {
    Listed with_free;
    ByClass agents_with_free;
    ByClass capacity;
  };
  Slots& known_slots(AgentRecord& agent, Kind kind);
  void relist(const AgentRecord& agent, const Slots& slots);
  void unlist(const AgentRecord& agent, Kind kind);
  void check_agent(const AgentRecord& agent, bool settled) const;
  void check_totals() const;

  std::map<Kind, KindTotals> totals_;
};

}  // namespace proffer::allocator
