// Naive fair sharing.
#pragma once

#include "proffer/frameworks/settings.hpp"

namespace proffer {

/// Takes every slot for the neediest job, with the nearest task that it has. Zaharia et al., Delay
/// Scheduling, EuroSys 2010, algorithm 1. It has two known diseases, on purpose: head-of-line scheduling (a
/// small job takes the first slot, wherever that is) and sticky slots (a job gets back the slot that it has
/// just freed).
///
/// Slot by slot, as in the paper; or (match = message) with the best matches of a whole message first: all
/// node-local ones, then rack-local ones, then any.
class GreedyPolicy final : public Policy {
 public:
  explicit GreedyPolicy(Settings& settings);

  void opportunity(std::span<const Standing>, const Candidates&, Time) override {}
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind, const Candidates&, Time) const override { return {}; }
  void job_ended(JobId) override {}
  int looks() const override { return match_message_ ? 3 : 1; }
  void begin_look(int number) override;

 private:
  bool match_message_;
  Locality farthest_ = Locality::any;  ///< it takes in this look
};

}  // namespace proffer
