// Decline policies: which job, if any, takes a slot that was offered. A policy sees jobs through Candidates
// and never knows what kind of framework it serves. The same policy runs live and simulated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "proffer/decline_reason.hpp"
#include "proffer/frameworks/foresight.hpp"
#include "proffer/ids.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/resources.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"
#include "proffer/topology.hpp"

namespace proffer {

/// One slot to be filled.
struct SlotLook {
  const AgentInfo& agent;
  Kind kind;
  OfferId offer;      ///< slots of one offer count once for a job's skips
  bool idle = false;  ///< it could have been looked at before; does not count as a skip
};

/// An unlaunched task, for policies that choose among tasks and not only among jobs.
struct WaitingTask {
  const TaskId& id;
  std::span<const AgentId> nodes;      ///< agents that hold its input
  std::span<const std::string> racks;  ///< theirs
  std::uint64_t bytes = 0;             ///< of input; 0: nobody said
  Time since{};                        ///< when it began to wait
};
/// A launched task that has not ended.
struct RunningTask {
  JobId job;
  TaskId id;
  AgentId agent;
  Locality locality = Locality::any;
  bool preferred = false;   ///< it prefers some place, this one or another
  std::uint64_t bytes = 0;  ///< as WaitingTask
  Duration waited{};        ///< from when it began to wait until its launch
  Time launched{};
};

/// The jobs of one framework as a policy sees them.
class Candidates {
 public:
  virtual ~Candidates() = default;
  /// Jobs with an unlaunched task of the kind, neediest first. Valid until the next launch.
  virtual std::span<const JobId> in_order(Kind kind) const = 0;
  /// False when none of its unlaunched tasks of the kind prefers a place (then there is nothing to wait for).
  virtual bool has_preferences(JobId job, Kind kind) const = 0;
  /// The nearest an unlaunched task of the job would be on that agent; none when it has no unlaunched task of
  /// the kind, or takes none there now.
  virtual std::optional<Locality> nearest(JobId job, Kind kind, const AgentInfo& agent) const = 0;
  virtual std::int64_t unlaunched(JobId job, Kind kind) const = 0;
  virtual std::int64_t running(JobId job, Kind kind) const = 0;
  /// Agents where some unlaunched task of the job would be node-local (|P_j|).
  virtual std::int64_t preferred_agents(JobId job, Kind kind) const = 0;

  // Of tasks, for policies that plan with all of them. Who does not know its tasks shows none.

  /// The first `most` unlaunched tasks of the job, in order of arrival, of those that would be at `within` or
  /// nearer on that agent (any: of all).
  virtual void each_waiting(JobId /*job*/, Kind /*kind*/, const AgentInfo& /*agent*/, Locality /*within*/,
                            std::size_t /*most*/,
                            const std::function<void(const WaitingTask&)>& /*visit*/) const {}
  /// All tasks of the kind that run, in order of launch.
  virtual void each_running(Kind /*kind*/, const std::function<void(const RunningTask&)>& /*visit*/) const {}
  /// What the job is entitled to of `slots` that the framework may use.
  virtual std::int64_t fair_share(JobId /*job*/, Kind /*kind*/, std::int64_t slots) const { return slots; }
  /// A pool of jobs that it is in has been short of slots for too long, and by no choice of its own: it
  /// should not wait for better ones.
  virtual bool starved(JobId /*job*/, Kind /*kind*/) const { return false; }
};

/// Launch a task of `job`: its nearest one on that agent, or the one that is named.
struct Take {
  JobId job;
  Locality locality = Locality::any;
  Duration waited{};                ///< the job's wait before this launch, for the trace
  std::optional<TaskId> task = {};  ///< of the job, unlaunched; `locality` is its
};
struct Pass {
  DeclineReason reason = DeclineReason::no_pending_task;
};
using Choice = std::variant<Take, Pass>;

class Policy {
 public:
  virtual ~Policy() = default;
  /// An OFFERS message came (all of its offers share this instant). `standings` are of this message.
  virtual void opportunity(std::span<const Standing> standings, const Candidates& jobs, Time now) = 0;
  /// One slot. The caller launches what it took before it asks for the next.
  virtual Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) = 0;
  /// When some pending job of the kind will accept farther tasks than now, if nothing else happens; none: at
  /// no known time. Zero from now means "the next look counts" (skip counting).
  virtual std::optional<Time> next_level_change(Kind kind, const Candidates& jobs, Time now) const = 0;
  /// The job has ended; forget it.
  virtual void job_ended(JobId job) = 0;

  /// How many looks it takes at the slots of one message. Slots that one look leaves over are shown in the
  /// next; what the last look leaves over is declined.
  virtual int looks() const { return 1; }
  /// Look `number`, from 0, begins.
  virtual void begin_look(int /*number*/) {}

  // What refuse_for cannot foresee. Policies that only count time need neither.

  /// True once after a pending job of the kind began to accept farther tasks than before because of what it
  /// was shown: slots that it refused earlier may suit it now, so the framework should REVIVE.
  virtual bool take_widened(Kind /*kind*/) { return false; }
  /// When the framework should REVIVE if nothing else brings offers of the kind; none: it need not.
  virtual std::optional<Time> look_again_at(Kind /*kind*/, const Candidates& /*jobs*/) const { return {}; }

  // Of policies that plan for all slots of a message at once, or kill tasks.

  /// The offers of a message, all together, after opportunity() and before the first slot.
  virtual void shown(std::span<const Offer> /*offers*/, const Candidates& /*jobs*/, Time /*now*/) {}
  /// When victims() is to be asked, besides after each message; none: it need not.
  virtual std::optional<Time> victims_at(const Candidates& /*jobs*/) const { return {}; }
  /// Tasks that run, and are to be killed now so that others get their slots; they will wait again.
  virtual std::vector<TaskId> victims(const Candidates& /*jobs*/, Time /*now*/) { return {}; }

  /// It cannot do without somebody who knows when slots will be released; who has one hands it over before
  /// anything else, and it outlives the policy.
  virtual bool needs_foresight() const { return false; }
  virtual void foresee(const Foresight& /*foresight*/) {}

  /// How long a message of offers stands before it is shown to the policy and answered; for adversaries.
  virtual Duration holds_offers() const { return {}; }

  /// For how long the job has let slots of the kind pass by now; zero: it waits for no better ones. What it
  /// launches tells of its wait (Take); this does of jobs that launch nothing.
  virtual Duration waited(JobId /*job*/, Kind /*kind*/, const Candidates& /*jobs*/, Time /*now*/) const {
    return {};
  }
};

/// A policy by name with its settings, e.g. {"wait", {{"node_wait", "500ms"}, {"rack_wait", "500ms"}}}.
struct PolicySpec {
  std::string name = "greedy";
  std::map<std::string, std::string> settings;
};
/// "wait,node_wait=5s,rack_wait=5s". `invalid` for an empty name or a setting without "=".
Result<PolicySpec> parse_policy(std::string_view text);
/// As parse_policy reads it.
std::string to_string(const PolicySpec& spec);
/// `not_found` for an unknown name, `invalid` for an unknown or bad setting (the message names those that
/// there are). `heartbeat` is the cluster's: waits that are not given are min(15 s, 1.5 x heartbeat), as with
/// the usual 1 s where it is zero.
Result<std::unique_ptr<Policy>> make_policy(const PolicySpec& spec,
                                            Duration heartbeat = std::chrono::seconds(1));
/// Names of all policies, sorted; plug-ins too.
std::vector<std::string> policy_names();
/// `invalid` when the policy needs foresight and there is none; otherwise it has it.
Result<> give_foresight(Policy& policy, const PolicySpec& spec, const Foresight* foresight);

}  // namespace proffer
