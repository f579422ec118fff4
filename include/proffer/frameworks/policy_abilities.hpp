// Optional bases of a policy, for what only some policies do. A class that derives from Policy derives from
// those that it needs as well, and they are found once, when a framework begins to use the policy:
//
//   class Planner final : public Policy, public ChoosesTasks, public PlansOffers { ... };
//
// The destructors of these bases are defined in the program: so there is one type_info of each, and
// dynamic_cast finds a base of a class in a plug-in, however visible the symbols of the plug-in are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "proffer/frameworks/foresight.hpp"
#include "proffer/frameworks/policy.hpp"

namespace proffer {

/// An unlaunched task.
struct WaitingTask {
  const TaskId& id;
  std::span<const AgentId> nodes;      ///< agents that hold its input
  std::span<const std::string> racks;  ///< the racks of these agents
  std::uint64_t bytes = 0;             ///< size of its input; 0: unknown
  Time since{};                        ///< the time at which the task began to wait
};
/// A launched task that has not ended.
struct RunningTask {
  JobId job;
  TaskId id;
  AgentId agent;
  Locality locality = Locality::any;
  bool preferred = false;   ///< the task prefers some place, this one or another
  std::uint64_t bytes = 0;  ///< size of its input; 0: unknown
  Duration waited{};        ///< the time between the beginning of its wait and its launch
  Time launched{};
};

/// The tasks of one framework, one by one.
class TaskView {
 public:
  virtual ~TaskView() = default;
  /// Visits the first `most` unlaunched tasks of the job, in order of arrival, that would be at `within` or
  /// nearer on that agent (`any`: all).
  virtual void each_waiting(JobId job, Kind kind, const AgentInfo& agent, Locality within, std::size_t most,
                            const std::function<void(const WaitingTask&)>& visit) const = 0;
  /// Visits all tasks of the kind that run, in order of launch, but those of rigid jobs: no policy launches
  /// these, or ends one of them.
  virtual void each_running(Kind kind, const std::function<void(const RunningTask&)>& visit) const = 0;
};

/// Chooses among tasks and not only among jobs, and names its choice in Take::task.
class ChoosesTasks {
 public:
  virtual ~ChoosesTasks();
  /// Called once, before the first offers. `tasks` outlives the policy.
  virtual void choose_among(const TaskView& tasks) = 0;
};

/// Plans for all slots of a message at once.
class PlansOffers {
 public:
  virtual ~PlansOffers();
  /// The offers of a message, after opportunity() and before the first slot.
  virtual void shown(std::span<const Offer> offers, const Candidates& jobs, Time now) = 0;
};

/// Kills tasks so that others get their slots.
class KillsTasks {
 public:
  virtual ~KillsTasks();
  /// Returns when victims() is to be asked, besides after each message; none: it need not be.
  virtual std::optional<Time> victims_at(const Candidates& jobs) const = 0;
  /// Running tasks that are to be killed now; they will wait again.
  virtual std::vector<TaskId> victims(const Candidates& jobs, Time now) = 0;
};

/// Looks at the slots of a message several times. Slots that one look leaves over are shown in the next; what
/// the last look leaves over is declined.
class LooksSeveralTimes {
 public:
  virtual ~LooksSeveralTimes();
  virtual int looks() const = 0;
  /// Look `number`, from 0, begins.
  virtual void begin_look(int number) = 0;
};

/// Asks for slots that were refused earlier than next_level_change() foresaw, as policies do that count
/// looks.
class AsksForOffers {
 public:
  virtual ~AsksForOffers();
  /// True once after a waiting job of the kind began to accept farther tasks because of what it was shown:
  /// the framework sends REVIVE, since slots that were refused may suit the job now.
  virtual bool take_widened(Kind kind) = 0;
  /// Returns when the framework should send REVIVE if nothing else brings offers of the kind; none: it need
  /// not.
  virtual std::optional<Time> look_again_at(Kind /*kind*/, const Candidates& /*jobs*/) const { return {}; }
};

/// Learns from tasks that have ended.
class SeesEnds {
 public:
  virtual ~SeesEnds();
  /// A task of the kind has ended well; its process ran for `run_time`.
  virtual void task_finished(const RunningTask& task, Kind kind, Duration run_time) = 0;
};

/// Answers late; for adversaries in experiments.
class HoldsOffers {
 public:
  virtual ~HoldsOffers();
  /// Returns how long a message of offers stands before it is shown and answered. Always the same.
  virtual Duration holds_offers() const = 0;
};

/// Must know when slots will be released, which only a simulation can tell.
class NeedsForesight {
 public:
  virtual ~NeedsForesight();
  /// Called before anything else. `foresight` outlives the policy.
  virtual void foresee(const Foresight& foresight) = 0;
};

/// The optional bases of a policy; null: the policy does without.
struct PolicyAbilities {
  explicit PolicyAbilities(Policy& policy);
  ChoosesTasks* chooses_tasks;
  PlansOffers* plans_offers;
  KillsTasks* kills_tasks;
  LooksSeveralTimes* looks_several_times;
  AsksForOffers* asks_for_offers;
  SeesEnds* sees_ends;
  HoldsOffers* holds_offers;
  NeedsForesight* needs_foresight;
};

}  // namespace proffer
