// The ledger of a cluster: who has what, folded from the lines of an allocator's event log. It holds agents
// with their slots, frameworks with their demand, open offers, and tasks that have not ended.
//
// Invariant: the slots that a framework has, and those that are taken of an agent, are the units of its held
// tasks that count and of its open offers. A task of an agent that is silent (unreachable) is held, but does
// not count: whether it still runs, nobody knows.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proffer/trace.hpp"

namespace proffer::study {

struct SlotCount {
  std::int64_t running = 0;
  std::int64_t offered = 0;
};

/// A task as the allocator knows it: ids of tasks are unique within their framework only.
struct FrameworkTask {
  FrameworkId framework;
  TaskId task;
  auto operator<=>(const FrameworkTask&) const = default;
};

struct AgentAccount {
  std::string name;
  std::string rack;
  Resources slots;
  bool lost = false;
  std::string trouble;                   ///< the reason for which it is offered to nobody; empty: it is well
  std::optional<std::string> leased_to;  ///< the pool that has this agent for itself
  Time changed{};                        ///< the last time at which a task there ceased to count
  std::map<Kind, SlotCount> taken;
  std::set<FrameworkTask> tasks;  ///< tasks that count

  std::int64_t free(Kind kind) const;    ///< slots that may be offered
  std::int64_t unused(Kind kind) const;  ///< slots that would be free if the agent were well
};

struct FrameworkAccount {
  std::string name;
  std::map<Kind, SlotCount> taken;
  std::map<Kind, std::int64_t> demand;  ///< slots that it could use, running ones included; may be kUnbounded

  SlotCount has(Kind kind) const;
  std::int64_t demands(Kind kind) const;
  std::int64_t wants(Kind kind) const;  ///< demand beyond what it has
};

struct OpenOffer {
  FrameworkId framework;
  AgentId agent;
  Resources resources;
  Time made{};
  bool is_rest = false;  ///< true: what is left of an accepted offer
};

struct HeldTask {
  AgentId agent;
  Resources resources;
  Time since{};
  bool away = false;  ///< true: its agent is silent
  bool counts = false;
};

/// A change of the slots that a framework has on an agent.
struct SlotChange {
  FrameworkId framework;
  AgentId agent;
  Kind kind;
  SlotCount by;
};

class Ledger {
 public:
  using Changes = std::vector<SlotChange>;

  /// The treatment of what an accepted offer has left beyond its tasks. The allocator declines it in a later
  /// line of the same turn.
  enum class Rest : std::uint8_t {
    closed,  ///< an accepted offer is over as a whole
    open,    ///< one slot a task is taken; others stay on offer until the line that declines them. Of bulk
             ///< resources nothing does: how much of them tasks take is in lines to come
  };
  explicit Ledger(Rest rest) : rest_(rest) {}

  // Each takes the next line of the allocator. Returns what changed, for as long as no further line is taken.
  // Offers and tasks that are not known are ignored; agents and frameworks are added.
  const Changes& apply(const AgentRegistered& line, Time now);
  const Changes& apply(const AgentLost& line, Time now);
  const Changes& apply(const AgentTrouble& line, Time now);
  const Changes& apply(const AgentLeased& line, Time now);
  const Changes& apply(const FrameworkSubscribed& line, Time now);
  const Changes& apply(const DemandChanged& line, Time now);
  const Changes& apply(const OfferMade& line, Time now);
  const Changes& apply(const OfferAccepted& line, Time now);
  const Changes& apply(const OfferDeclined& line, Time now);
  const Changes& apply(const OfferRescinded& line, Time now);
  const Changes& apply(const OfferExpired& line, Time now);
  const Changes& apply(const TaskLaunched& line, Time now);
  const Changes& apply(const TaskChanged& line, Time now);

  /// The allocator began anew, and knows nothing. Tasks that were held stay so, and count again once it says
  /// that they run. Returns what each framework has no more until then.
  const Changes& restart();
  /// A framework that is gone demands nothing more. What it has ends by lines of its own.
  void forget_demand(FrameworkId framework);
  /// Lines about `other` are about `framework` from now on: one program that has come back under another id.
  void join(FrameworkId other, FrameworkId framework);

  const std::map<AgentId, AgentAccount>& agents() const { return agents_; }
  const std::map<OfferId, OpenOffer>& offers() const { return offers_; }
  /// Returns the slots of the agents that are not lost, by kind; a kind that there was once stays, with 0.
  const std::map<Kind, std::int64_t>& capacity() const { return capacity_; }
  const std::map<FrameworkId, FrameworkAccount>& frameworks() const { return frameworks_; }
  /// Returns the account of a framework; an empty one when it is not known.
  const FrameworkAccount& framework(FrameworkId id) const;
  /// Each returns null when the ledger has none such.
  const AgentAccount* agent(AgentId id) const;
  const OpenOffer* offer(OfferId id) const;
  const HeldTask* task(const FrameworkTask& task) const;

  /// Aborts unless the invariant above holds.
  void check_invariants() const;

 private:
  using Held = std::map<FrameworkTask, HeldTask>::value_type;

  FrameworkId account_of(FrameworkId id) const;
  const Changes& close(OfferId id);
  void take(FrameworkId framework, AgentId agent, Kind kind, SlotCount by);
  void set_counts(Held& held, bool counts, Time now);

  Rest rest_;
  std::map<AgentId, AgentAccount> agents_;
  std::map<FrameworkId, FrameworkAccount> frameworks_;
  std::map<FrameworkId, FrameworkId> joined_;
  std::map<OfferId, OpenOffer> offers_;
  std::map<FrameworkTask, HeldTask> tasks_;
  std::map<Kind, std::int64_t> capacity_;
  Changes changes_;
};

}  // namespace proffer::study
