// One pass: free slots, slot by slot, to the neediest framework that may have them (SEMANTICS §2).
//
// After a pass no free slot is left that somebody would take, so the next one need look only at slots that
// became free since (for everybody), and at frameworks that became hungry since (on everything that stands
// idle). Nothing changed: nothing to do.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

class OfferPass {
 public:
  explicit OfferPass(const Turn& turn) : turn_(turn), state_(turn.state) {}

  /// Offers the free slots of an agent to everybody, those that just became free first.
  void walk(AgentIndex agent, Kind kind);
  /// Offers all idle slots, in order of agent id, to the frameworks that are hungry.
  void walk_idle(const Shares::Hungry& hungry);
  /// Offers the idle slots of one agent to one framework.
  void walk_for(FrameworkIndex framework, AgentIndex agent, Kind kind);
  /// Makes offers of the grants: one message per framework, in the order of their first grants.
  void finish();

 private:
  struct Grant {
    AgentIndex agent;
    Kind kind;
    Lots lots;
    Resources riding;
  };
  /// Judges whether a framework would take one unit of a lot now.
  using Takes = std::function<DeclineFilters::Verdict(FrameworkIndex)>;

  std::size_t granted_to(FrameworkIndex framework) const;
  DeclineFilters::Verdict judge(const AgentRecord& agent, Kind kind, std::int64_t free, const Lot& lot,
                                FrameworkIndex candidate) const;
  std::optional<FrameworkIndex> next_for(AgentRecord& agent, Kind kind, std::int64_t free, Lot& lot) const;
  std::optional<FrameworkIndex> neediest(Kind kind, const Takes& takes, bool& next_round) const;
  void walk_held(AgentRecord& agent, Slots& slots, std::int64_t free);
  bool shown_enough(const Slots& slots) const;
  std::int64_t one_turn(FrameworkIndex framework, const AgentRecord& agent, Kind kind, const Lot& lot) const;
  std::int64_t wanted(FrameworkIndex framework, const AgentRecord& agent, Kind kind, const Lot& lot) const;
  void walk(AgentRecord& agent, Slots& slots, std::int64_t free, bool fresh);
  void walk_for(FrameworkIndex framework, AgentRecord& agent, Slots& slots);
  void walk_idle(Kind kind, const std::set<FrameworkIndex>& hungry);
  void grant(FrameworkIndex framework, AgentRecord& agent, Kind kind, std::size_t position,
             std::int64_t units);
  Resources take_riding(FrameworkRecord& framework, AgentRecord& agent, std::int64_t cpus);
  std::vector<Offer> issue(FrameworkRecord& framework, std::vector<Grant>& grants);

  const Turn& turn_;
  State& state_;
  const std::set<FrameworkIndex>* only_ = nullptr;  ///< set in walk_idle: those that could want idle slots
  std::optional<ShareNode> held_for_;  ///< the pool whose frameworks alone are looked at; set in walk_held
  std::map<FrameworkIndex, std::size_t> places_;  ///< indices into grants_
  std::vector<std::pair<FrameworkIndex, std::vector<Grant>>> grants_;
  std::vector<std::pair<AgentIndex, Kind>> walked_;
};

/// Makes the pass that follows an event, or a batch of them: over the slots that became free, then for the
/// frameworks that became hungry.
void run_pass(const Turn& turn);
/// Ends the decline filter that is due next: its framework is shown at once what stands idle on the agent.
/// Returns false when none is due.
bool end_filter(const Turn& turn);

}  // namespace proffer::allocator
