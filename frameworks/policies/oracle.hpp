// Planning with what will be released.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "frameworks/policies/placements.hpp"
#include "proffer/frameworks/settings.hpp"

namespace proffer {

/// Quincy's graph without terms for fairness, and with the slots that will be released: a task is placed on a
/// slot that is free now, or left for one on an agent that holds its input and is released within `horizon`.
/// Waiting for such a one costs half a GB a second; anything that is not local costs more than all of that,
/// and having no slot at all even more. So a task is launched away from its data only where no slot beside
/// them is released in time, or others have more use for it. A snapshot cannot know that. Several tasks may
/// wait for one release, since the slot is released again.
///
/// What can change nothing is left out: agents to which no task of a free one's could go instead, and beyond
/// some tasks for each slot, all others that prefer its agent.
class OraclePolicy final : public Policy {
 public:
  explicit OraclePolicy(Settings& settings);

  void opportunity(std::span<const Standing>, const Candidates&, Time) override {}
  void shown(std::span<const Offer> offers, const Candidates& jobs, Time now) override;
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override {
    return planned_.take(slot, jobs, now);
  }
  std::optional<Time> next_level_change(Kind kind, const Candidates& jobs, Time now) const override;
  void job_ended(JobId) override {}
  bool needs_foresight() const override { return true; }
  void foresee(const Foresight& foresight) override { foresight_ = &foresight; }

 private:
  void plan(Kind kind, std::span<const Offer> offers, const Candidates& jobs, Time now);
  /// Agents where tasks that prefer the offered ones, or could be launched there, could go instead.
  std::set<AgentId> alternatives(Kind kind, std::span<const Offer> offers, const Candidates& jobs) const;

  Duration horizon_;
  std::int64_t core_cost_;
  const Foresight* foresight_ = nullptr;
  Placements planned_;
};

}  // namespace proffer
