// The agents by index, id and name. Invariants: ids are unique, names are among the agents that have a
// session, and an index is reused only after its agent was removed. The slots of the agents are
// cluster_table.hpp's.
#pragma once

#include <array>
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

#include "allocator/tables/agent_view.hpp"
#include "allocator/tables/brought.hpp"
#include "allocator/tables/contact.hpp"
#include "allocator/tables/indices.hpp"
#include "allocator/tables/slots.hpp"
#include "proffer/ids.hpp"
#include "proffer/kept.hpp"
#include "proffer/resources.hpp"
#include "proffer/topology.hpp"

namespace proffer::allocator {

/// The steps of an agent's silence: suspect agents get no new offers, disconnected ones lose their offers,
/// and the tasks of unreachable ones are UNREACHABLE.
enum class Reach : std::uint8_t { live, suspect, disconnected, unreachable };

/// The way an agent came here, and whether it still has to come back.
struct AgentPast {
  std::uint64_t run = 0;
  Secret secret;
  bool back = true;      ///< the agent has registered since the allocator was started
  bool awaited = false;  ///< the agent has not, and is expected to
};

/// A task that nobody wants, and that runs on its agent.
struct Stray {
  Resources resources;
  std::uint64_t hash = 0;  ///< hash_of_task
};

inline constexpr std::size_t kReaches = 4;

/// The reasons, beside its reach, for which an agent is offered to nobody.
struct Service {
  std::string trouble;                 ///< a sentence: the agent cannot start tasks; empty: it is well
  AgentWish wish = AgentWish::serve;   ///< the wish of an operator
  std::optional<Duration> kill_after;  ///< the time for its tasks, as in KeptAgent
  std::optional<Time> kill_at;         ///< the end of that time

  bool draining() const { return wish == AgentWish::drain; }
  bool offerable() const { return trouble.empty() && !draining(); }
  /// Returns why it is offered to nobody, for people; empty: it is.
  std::string why_not() const { return draining() && trouble.empty() ? "an operator drains it" : trouble; }
};

struct AgentRecord {
  AgentIndex index;
  AgentInfo info;
  AgentPast past;
  Resources total;
  boost::container::small_vector<Slots, 2> slots;  ///< sorted by kind
  Reach reach = Reach::live;
  Service service;
  bool counted = false;  ///< the agent's slots are part of the cluster's capacity
  Contact contact;
  std::vector<LaunchId> to_kill;  ///< the tasks that its newest REGISTERED told it to kill
  std::vector<bool> admits;       ///< one for each eligibility class: its frameworks may be offered the agent
  boost::container::flat_set<std::uint64_t> offers;
  boost::container::flat_set<LaunchId> tasks;  ///< tasks that live, or whose end is not acknowledged
  std::size_t living = 0;                      ///< the tasks that have not ended
  /// The number of `tasks` by framework; never 0.
  boost::container::flat_map<FrameworkIndex, std::size_t> tasks_of;
  std::map<LaunchId, Stray> strays;  ///< tasks that count as used until they end
  AgentView view;     ///< the tasks that have arrived there and have not ended, strays included
  PeerId brought_by;  ///< the connection of its first REGISTER

  /// Returns whether an operator drains it, and nothing runs there any more: its slots are nobody's.
  bool drained() const { return service.draining() && past.back && living == 0 && strays.empty(); }
};

class AgentTable {
 public:
  /// Adds an agent without slots, which has its name from now on. Aborts when the id is known.
  AgentRecord& add(AgentInfo info, PeerId brought_by);
  /// Removes an agent, which must be in no list. Aborts while it holds offers or tasks.
  void remove(AgentRecord& agent);
  /// Gives an agent another name, rack or endpoint. An agent that had the name before stays, without it.
  void rename(AgentRecord& agent, AgentInfo info);
  AgentRecord* find(AgentId id);
  /// Returns the agent that took the name last.
  AgentRecord* find_name(std::string_view name);
  bool has(AgentIndex index) const { return index.value < agents_.size() && agents_[index.value]; }
  AgentRecord& operator[](AgentIndex index);
  const AgentRecord& operator[](AgentIndex index) const;
  std::size_t size() const { return by_id_.size(); }
  /// Returns the number of known agents that came first through that connection.
  std::size_t brought_by(PeerId peer) const { return brought_.by(peer); }
  /// Returns the unreachable agent without tasks that has been silent for longest, of those that have been
  /// here since the start: who has not been may have tasks that nobody knows of. Null: there is none.
  AgentRecord* next_to_forget();
  const std::map<AgentId, AgentIndex>& in_order() const { return by_id_; }
  /// Returns the number of agents that are so far away.
  std::size_t count(Reach reach) const { return by_reach_[static_cast<std::size_t>(reach)]; }

  /// Returns the agents that operators drain.
  const std::set<AgentIndex>& draining() const { return draining_; }

  // The agents that operators have declared gone.
  /// Declares an id void, for ever.
  void retire(AgentId id, std::string name) { retired_[id] = std::move(name); }
  bool is_retired(AgentId id) const { return retired_.contains(id); }
  /// Returns them with the names that they had.
  const std::map<AgentId, std::string>& retired() const { return retired_; }

  /// Aborts unless each agent is found by its index and id, and by its name while it has a session.
  void check_invariants() const;

 protected:
  void note_reach(AgentRecord& agent, Reach reach);
  void note_wish(AgentRecord& agent, AgentWish wish);

 private:
  void release_name(const AgentRecord& agent);

  std::vector<std::unique_ptr<AgentRecord>> agents_;  ///< indexed by AgentIndex; null: free
  std::vector<AgentIndex> free_indices_;
  std::map<AgentId, AgentIndex> by_id_;
  std::map<std::string, AgentIndex, std::less<>> by_name_;
  Brought brought_;
  std::array<std::size_t, kReaches> by_reach_{};
  std::set<AgentIndex> draining_;
  std::map<AgentId, std::string> retired_;
};

}  // namespace proffer::allocator
