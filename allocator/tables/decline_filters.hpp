// Decline filters: the agents that a framework refuses, per kind, and for how long; and the frameworks that
// have declined an agent's slots in their present round (SEMANTICS §2).
//
// Lifting filters costs nothing: a filter carries the stamp of its decline, and is void if its framework
// revived, or (a filter "until something changes") its agent changed, at a later stamp.
//
// Each framework and kind also has the set of agents that it surely refuses. A framework that declines one
// idle agent after the other causes a pass over all of them each time, which skips these at the cost of one
// bit.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "allocator/tables/agent_bits.hpp"
#include "allocator/tables/indices.hpp"
#include "allocator/tables/timer_heap.hpp"
#include "proffer/resources.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

/// A framework, an agent, a kind.
struct FilterKey {
  FrameworkIndex framework;
  AgentIndex agent;
  Kind kind;
};

/// The part of a decline that is about the future.
struct Refusal {
  enum class Until : std::uint8_t { change, time, revive };
  Until until = Until::change;
  Time time;                   ///< the end of the filter, for Until::time
  std::int64_t too_small = 0;  ///< above 0: more free slots of the kind than this lift it
};

class DeclineFilters {
 public:
  void decline(const FilterKey& key, const Refusal& refusal, Stamp stamp);
  /// Notes that the framework had the slots in this round and did not decline them. A filter that is in force
  /// there stays.
  void note_offered(const FilterKey& key, Stamp stamp, Time now);

  enum class Verdict : std::uint8_t {
    open,        ///< may be offered these slots
    next_round,  ///< may, once their present round is over
    refused,     ///< refuses them
  };
  /// Judges slots whose round began at `round`, on an agent with `free` free slots of the kind.
  Verdict judge(const FilterKey& key, Stamp round, std::int64_t free, Time now) const;
  /// Returns agents for which judge() answers `refused` whatever the round and the number of free slots; it
  /// may for others as well. To be called after ripen(now). Null: none. Valid until the next change.
  const AgentBits* surely_refused(FrameworkIndex framework, Kind kind) const;

  void revived(FrameworkIndex framework, Kind kind, Stamp stamp);
  void agent_changed(AgentIndex agent, Stamp stamp);
  void forget_agent(AgentIndex agent, Stamp stamp);
  void forget_framework(FrameworkIndex framework, Stamp stamp);

  // The ends of filters that have a time.
  std::optional<Time> next_end() const { return ripe_.empty() ? ends_.next() : ripe_.front().first; }
  std::optional<FilterKey> pop_ended(Time now);
  /// Takes agents whose filter is over from surely_refused(), even if pop_ended() has not returned it yet.
  void ripen(Time now);
  /// Drops void ends. To be called before next_end() is believed.
  void settle();

  /// Returns whether a filter is in force for the framework, as none may be after it is gone.
  bool any_in_force(FrameworkIndex framework, Time now) const;
  /// Aborts unless all agents of surely_refused() are refused.
  void check_invariants(Time now) const;

 private:
  struct Filter {
    Refusal refusal;
    Stamp stamp = 0;
  };
  using ByFramework = std::unordered_map<std::uint32_t, Filter>;  // never iterated where order could matter
  struct AgentFilters {
    Stamp changed = 0;
    std::vector<std::pair<Kind, ByFramework>> kinds;
  };
  struct KindOfFramework {
    Kind kind;
    Stamp revived = 0;
    AgentBits refused;  ///< see surely_refused()
  };
  struct OfFramework {
    Stamp forgotten = 0;  ///< the stamp at which the last framework of this index was removed
    std::vector<KindOfFramework> kinds;
  };
  struct End {
    FilterKey key;
    Stamp stamp = 0;
  };

  AgentFilters& of(AgentIndex agent);
  const Filter* find(const FilterKey& key) const;
  void put(const FilterKey& key, const Refusal& refusal, Stamp stamp, bool surely);
  KindOfFramework& of(FrameworkIndex framework, Kind kind);
  const KindOfFramework* find(FrameworkIndex framework, Kind kind) const;
  Stamp revived_at(FrameworkIndex framework, Kind kind) const;
  /// Returns whether the filter is of a framework that is gone, whose index another has now.
  bool inherited(FrameworkIndex framework, const Filter& filter) const;
  bool lifted(const FilterKey& key, const Filter& filter) const;
  bool in_force(const FilterKey& key, const Filter& filter, Time now) const;
  bool still_wanted(Time at, const End& end) const;

  std::vector<AgentFilters> agents_;     ///< indexed by AgentIndex
  std::vector<OfFramework> frameworks_;  ///< indexed by FrameworkIndex
  TimerHeap<End> ends_;
  std::deque<std::pair<Time, End>> ripe_;  ///< taken from ends_, in their order
};

}  // namespace proffer::allocator
