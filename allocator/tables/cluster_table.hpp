// The agents, and the place of each of their slots. Invariants: per agent and kind, free + offered + used =
// total; and the agents on which something can be offered are listed per kind, in order of their ids, and
// counted per eligibility class.
#pragma once

#include <boost/container/flat_map.hpp>
#include <boost/container/flat_set.hpp>
#include <boost/container/small_vector.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "allocator/tables/brought.hpp"
#include "allocator/tables/contact.hpp"
#include "allocator/tables/indices.hpp"
#include "allocator/tables/slots.hpp"
#include "proffer/ids.hpp"
#include "proffer/resources.hpp"
#include "proffer/topology.hpp"

namespace proffer::allocator {

/// The steps of an agent's silence: suspect agents get no new offers, disconnected ones lose their offers,
/// and the tasks of unreachable ones are UNREACHABLE.
enum class Reach : std::uint8_t { live, suspect, disconnected, unreachable };

struct AgentRecord {
  AgentIndex index;
  AgentInfo info;
  Secret secret;
  std::uint64_t run = 0;
  Resources total;
  boost::container::small_vector<Slots, 2> slots;  ///< by kind
  Reach reach = Reach::live;
  std::string trouble;   ///< a sentence: the agent cannot start tasks; empty: it is well
  bool counted = false;  ///< its slots are part of the cluster's capacity
  Contact contact;
  std::optional<Time> report_at;  ///< see report_turns.hpp
  std::vector<LaunchId> to_kill;  ///< the tasks that its newest REGISTERED told it to kill
  std::vector<bool> admits;       ///< by eligibility class: its frameworks may be offered the agent
  boost::container::flat_set<std::uint64_t> offers;
  boost::container::flat_set<LaunchId> tasks;  ///< that live, or whose end is not acknowledged
  std::size_t living = 0;                      ///< the tasks that have not ended
  boost::container::flat_map<FrameworkIndex, std::size_t>
      tasks_of;                          ///< a count of `tasks` by framework; never 0
  std::map<LaunchId, Resources> strays;  ///< tasks that nobody wants; they count as used until they end
  PeerId brought_by;                     ///< the connection of its first REGISTER
};

class ClusterTable {
 public:
  /// Adds an agent without slots. Aborts when the id or the name is known.
  AgentRecord& add(AgentInfo info, PeerId brought_by);
  /// Removes an agent. Aborts while it holds offers or tasks.
  void remove(AgentRecord& agent);
  /// Gives an agent another name, rack or endpoint. Aborts when another agent has that name.
  void rename(AgentRecord& agent, AgentInfo info);
  AgentRecord* find(AgentId id);
  AgentRecord* find_name(std::string_view name);
  bool has(AgentIndex index) const { return index.value < agents_.size() && agents_[index.value]; }
  AgentRecord& operator[](AgentIndex index);
  const AgentRecord& operator[](AgentIndex index) const;
  std::size_t size() const { return by_id_.size(); }
  /// Returns the number of known agents that came first through that connection.
  std::size_t brought_by(PeerId peer) const { return brought_.by(peer); }
  /// Returns the unreachable agent without tasks that has been silent for longest; null: there is none.
  AgentRecord* next_to_forget();
  const std::map<AgentId, AgentIndex>& in_order() const { return by_id_; }

  // The ledger.
  /// Sets the slots that the agent has; those that are not used become one fresh lot per kind. Aborts while
  /// the agent has offers, or counts.
  void set_slots(AgentRecord& agent, const Resources& total, Stamp round);
  Slots* slots_of(AgentRecord& agent, Kind kind);
  std::int64_t free_units(const AgentRecord& agent, Kind kind) const;
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
  static bool offerable(const AgentRecord& agent) {
    return agent.reach == Reach::live && agent.contact.session && agent.trouble.empty();
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

  std::vector<std::unique_ptr<AgentRecord>> agents_;  ///< by index; null: free
  std::vector<AgentIndex> free_indices_;
  std::map<AgentId, AgentIndex> by_id_;
  std::map<std::string, AgentIndex, std::less<>> by_name_;
  std::map<Kind, KindTotals> totals_;
  Brought brought_;
};

}  // namespace proffer::allocator
