// The unlaunched tasks of a framework's jobs, indexed by node and rack, and what runs; jobs in their order.
// The helper every framework with locality would otherwise write; a Candidates for the policies.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proffer/frameworks/job_mode.hpp"
#include "proffer/frameworks/policy.hpp"
#include "proffer/frameworks/scheduler.hpp"

namespace proffer {

/// A task waiting for a slot. `nodes` are the agents it prefers, `racks` theirs; both empty: no preference.
struct PendingTask {
  TaskId id;
  Kind kind;
  std::vector<AgentId> nodes;
  std::vector<std::string> racks;
};

/// What the pool launched where.
struct Placement {
  JobId job;
  TaskId task;
  Locality locality = Locality::any;
  bool preferred = false;
  Duration waited{};
};

class TaskPool final : public Candidates {
 public:
  explicit TaskPool(JobMode mode = JobMode::fair);
  ~TaskPool() override;

  void add_job(JobId job, std::string name);
  /// Its tasks must have ended or been removed.
  void remove_job(JobId job);
  void add(JobId job, PendingTask task);
  /// Take back an unlaunched task; false when there is none of that id.
  bool remove(JobId job, const TaskId& task);
  /// A launched task has ended.
  void ended(JobId job, Kind kind);

  /// Fill one offer slot by slot with `policy`; at most `slots` of `kind`. Appends placements; returns why
  /// the rest was passed over (none when every slot was filled).
  std::optional<DeclineReason> fill(const Offer& offer, Kind kind, std::int64_t slots, Policy& policy,
                                    Time now, std::vector<Placement>& placements);

  /// unlaunched + running over all jobs.
  std::int64_t demand(Kind kind) const;

  std::span<const JobId> in_order(Kind kind) const override;
  bool has_preferences(JobId job, Kind kind) const override;
  std::optional<Locality> nearest(JobId job, Kind kind, const AgentInfo& agent) const override;
  std::int64_t unlaunched(JobId job, Kind kind) const override;
  std::int64_t running(JobId job, Kind kind) const override;
  std::int64_t preferred_agents(JobId job, Kind kind) const override;

  void check_invariants() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer
