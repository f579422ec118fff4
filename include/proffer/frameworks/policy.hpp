// Decline policies: which job, if any, takes a slot that was offered. All that the author of a policy needs;
// policy_abilities.hpp has what only some policies need. The same policy runs live and simulated.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "proffer/decline_reason.hpp"
#include "proffer/ids.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/resources.hpp"
#include "proffer/time.hpp"
#include "proffer/topology.hpp"

namespace proffer {

/// One slot to be filled.
struct SlotLook {
  const AgentInfo& agent;
  Kind kind;
  OfferId offer;      ///< slots of one offer count once for a job's skips
  bool idle = false;  ///< the slot could have been looked at before; does not count as a skip
};

/// The jobs of one framework as a policy sees them.
class Candidates {
 public:
  virtual ~Candidates() = default;
  /// Jobs with an unlaunched task of the kind, neediest first. Valid until the next launch.
  virtual std::span<const JobId> in_order(Kind kind) const = 0;
  /// False when no unlaunched task of the job and kind prefers a place: then there is nothing to wait for.
  virtual bool has_preferences(JobId job, Kind kind) const = 0;
  /// The nearest that an unlaunched task of the job would be on that agent. None: the job has no unlaunched
  /// task of the kind, or takes no task there now.
  virtual std::optional<Locality> nearest(JobId job, Kind kind, const AgentInfo& agent) const = 0;
  virtual std::int64_t unlaunched(JobId job, Kind kind) const = 0;
  virtual std::int64_t running(JobId job, Kind kind) const = 0;
  /// Agents on which some unlaunched task of the job would be node-local (|P_j|).
  virtual std::int64_t preferred_agents(JobId job, Kind kind) const = 0;
  /// The job's part of `slots`, which the framework may use.
  virtual std::int64_t fair_share(JobId /*job*/, Kind /*kind*/, std::int64_t slots) const { return slots; }
  /// True when a pool of the job has been short of slots for too long, and not because its jobs declined
  /// some: the job should not wait for better slots.
  virtual bool starved(JobId /*job*/, Kind /*kind*/) const { return false; }
};

/// Launch a task of `job`: the nearest one on that agent, or the one that is named.
struct Take {
  JobId job;
  Locality locality = Locality::any;
  Duration waited{};                ///< the job's wait before this launch, for event logs
  std::optional<TaskId> task = {};  ///< an unlaunched task of the job, to which `locality` belongs
};
/// Launch nothing on the slot, nor on those of its offer and kind that follow.
struct Pass {
  DeclineReason reason = DeclineReason::no_pending_task;
};
using Choice = std::variant<Take, Pass>;

class Policy {
 public:
  virtual ~Policy();
  /// Decides about one slot. The caller launches the task before it asks about the next slot.
  virtual Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) = 0;
  /// The time at which some waiting job of the kind will accept farther tasks, if nothing else happens: until
  /// then the agent of a declined offer is hidden. `now`: until something changes on that agent. None: until
  /// tasks are added.
  virtual std::optional<Time> next_level_change(Kind kind, const Candidates& jobs, Time now) const = 0;

  /// A message of offers came, all of one instant. `standings`: the framework's share as of this message.
  virtual void opportunity(std::span<const Standing> /*standings*/, const Candidates& /*jobs*/,
                           Time /*now*/) {}
  /// The job has ended: forget it.
  virtual void job_ended(JobId /*job*/) {}
  /// Returns for how long the job has let slots of the kind pass by now; zero: it waits for no better ones.
  /// Needed beside Take::waited for jobs that launch nothing.
  virtual Duration waited(JobId /*job*/, Kind /*kind*/, const Candidates& /*jobs*/, Time /*now*/) const {
    return {};
  }
};

}  // namespace proffer
