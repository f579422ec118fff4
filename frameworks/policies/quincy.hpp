// Scheduling of all slots of a message at once, as a flow of least cost.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "frameworks/policies/placements.hpp"
#include "frameworks/policies/standings.hpp"
#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/frameworks/settings.hpp"

namespace proffer::policies {

/// Quincy (Isard et al., SOSP 2009, §4), of one framework that holds all jobs. Costs are in GB moved: within
/// a rack once, over the core `core_cost` times. A task that gets no slot costs half a GB for each second
/// that it has waited; on an agent that holds its input it costs nothing, through a rack or anywhere what the
/// worst agent there would move.
///
/// - `fair`: as many tasks of a job run as its fair share says, no more (E_j), and no fewer (F_j) where slots
///   allow; otherwise there are no bounds.
/// - `preempt`: tasks that run are in the graph as well, and those for which the cheapest flow has no slot
///   are killed. A task that runs costs what it moves, less half a GB for each second that it has run, since
///   that much is done; and another half, by which its wait would have grown.
///
/// Slots of a message are planned for together, at once. A task's waiting begins with it, or when it was
/// killed. A graph with all that runs is solved at most every `solve_every`.
class QuincyPolicy final : public Policy, public ChoosesTasks, public PlansOffers, public KillsTasks {
 public:
  explicit QuincyPolicy(Settings& settings);

  void opportunity(std::span<const Standing> standings, const Candidates&, Time) override {
    standings_.update(standings);
  }
  void shown(std::span<const Offer> offers, const Candidates& jobs, Time now) override;
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time /*now*/) override {
    return planned_.take(slot, jobs);
  }
  std::optional<Time> next_level_change(Kind kind, const Candidates& jobs, Time now) const override;
  void choose_among(const TaskView& tasks) override { tasks_ = &tasks; }
  std::optional<Time> victims_at(const Candidates& jobs) const override;
  std::vector<TaskId> victims(const Candidates& jobs, Time now) override;

 private:
  void plan_free(Kind kind, std::span<const Offer> offers, const Candidates& jobs, Time now);
  std::int64_t running(Kind kind) const;
  std::vector<TaskId> losers(Kind kind, const Candidates& jobs, Time now);

  bool fair_;
  bool preempt_;
  std::int64_t core_cost_;
  Duration solve_every_;
  Standings standings_;
  const TaskView* tasks_ = nullptr;
  std::map<AgentId, AgentInfo> agents_;
  std::set<Kind> kinds_;
  Placements planned_;
  std::optional<Time> solved_;               // the time of the last graph with all that runs
  std::map<Kind, std::set<TaskId>> killed_;  // tasks that may not have ended yet
};

}  // namespace proffer::policies
