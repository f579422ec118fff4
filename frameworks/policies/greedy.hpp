// Naive fair sharing.
#pragma once

#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/frameworks/settings.hpp"

namespace proffer::policies {

/// Takes every slot for the neediest job, with the nearest task that the job has. Zaharia et al., Delay
/// Scheduling, EuroSys 2010, algorithm 1. Two known defects are kept on purpose: head-of-line scheduling (a
/// small job takes the first slot, wherever that is) and sticky slots (a job gets back the slot that it has
/// just freed).
///
/// Slots are filled one by one, as in the paper; or (match = message) with the best matches of a whole
/// message first: all node-local ones, then rack-local ones, then any.
class GreedyPolicy final : public Policy, public LooksSeveralTimes {
 public:
  explicit GreedyPolicy(Settings& settings);

  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind, const Candidates&, Time) const override { return {}; }
  int looks() const override { return match_message_ ? 3 : 1; }
  void begin_look(int number) override;

 private:
  bool match_message_;
  Locality farthest_ = Locality::any;  ///< the farthest locality that this look takes
};

}  // namespace proffer::policies
