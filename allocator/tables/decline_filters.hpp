// Which framework refuses which agent, per kind, and for how long; and who has declined an agent's slots in
// their present round (SEMANTICS §2).
//
// Nothing is searched for when filters are lifted: a filter carries the stamp of its decline, and is void if
// its framework revived, or (for those "until something changes") its agent changed, at a later stamp.
//
// Beside that, a framework and kind has the set of agents that it surely refuses. A framework that declines
// one idle agent after the other makes a pass over all of them each time, and must be told in a word where it
// need not look.
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

/// What a decline says of the future.
struct Refusal {
  enum class Until : std::uint8_t { change, time, revive };
  Until until = Until::change;
  Time time;                   // for Until::time
  std::int64_t too_small = 0;  // above 0: more free slots of the kind than this lift it
};

class DeclineFilters {
 public:
  void decline(const FilterKey& key, const Refusal& refusal, Stamp stamp);
  /// It had the slots in this round, and lost them without a word. What it refuses there it goes on refusing.
  void note_offered(const FilterKey& key, Stamp stamp, Time now);

  enum class Verdict : std::uint8_t {
    open,        ///< may be offered these slots
    next_round,  ///< may, once their present round is over
    refused,     ///< refuses them
  };
  /// Of slots whose round began at `round`, `free` of which are free on that agent.
  Verdict judge(const FilterKey& key, Stamp round, std::int64_t free, Time now) const;
  /// Where judge() would answer `refused` whatever the round and however much is free; after ripen(now).
  /// Agents beside these may be refused as well. Null: none. Valid until the next change.
  const AgentBits* surely_refused(FrameworkIndex framework, Kind kind) const;

  void revived(FrameworkIndex framework, Kind kind, Stamp stamp);
  void agent_changed(AgentIndex agent, Stamp stamp);
  void forget_agent(AgentIndex agent, Stamp stamp);
  void forget_framework(FrameworkIndex framework, Stamp stamp);

  // Of filters with a time: whose ends.
  std::optional<Time> next_end() const { return ripe_.empty() ? ends_.next() : ripe_.front().first; }
  std::optional<FilterKey> pop_ended(Time now);
  /// Those whose time has come refuse nothing any more, even if they are not taken yet.
  void ripen(Time now);
  /// To be called before next_end() is believed.
  void settle();

  /// A filter is in force for `framework`, which must not be when it is gone.
  bool any_in_force(FrameworkIndex framework, Time now) const;
  /// Who surely refuses, refuses.
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
    AgentBits refused;  // see surely_refused()
  };
  struct OfFramework {
    Stamp forgotten = 0;  // when the number was taken from a framework that is gone
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
  /// It is of a framework that is gone, whose number somebody else has now.
  bool inherited(FrameworkIndex framework, const Filter& filter) const;
  bool lifted(const FilterKey& key, const Filter& filter) const;
  bool in_force(const FilterKey& key, const Filter& filter, Time now) const;
  bool still_wanted(Time at, const End& end) const;

  std::vector<AgentFilters> agents_;     // by AgentIndex
  std::vector<OfFramework> frameworks_;  // by FrameworkIndex
  TimerHeap<End> ends_;
  std::deque<std::pair<Time, End>> ripe_;  // taken from ends_, in their order
};

}  // namespace proffer::allocator
