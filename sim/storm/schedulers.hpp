// The schedulers of a storm's frameworks, by character. Each notes what it is told.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "proffer/frameworks/scheduler_abilities.hpp"
#include "proffer/random.hpp"
#include "sim/storm/plan.hpp"
#include "sim/storm/told.hpp"

namespace proffer::sim::storm {

/// The state of affairs that all schedulers go by.
struct Mood {
  bool working = true;  ///< false: they want nothing more, and end what they have
  bool calm = false;    ///< nobody goes to sleep any more
  /// The frameworks that sleep now and then, and want slots at present.
  std::set<Lineage> awake;
  /// The offers that were shown to each framework since the calm began.
  std::map<Lineage, std::uint64_t> shown;
};

struct SchedulerSetup {
  Character character = Character::greedy;
  Lineage lineage = 0;
  Instance instance = 0;
  std::string prefix;   ///< prefix of its tasks' ids: no other process has it
  bool sleeps = false;  ///< wants no offers now and then
};

class StormScheduler : public Scheduler, public FollowsSession, public Resumes {
 public:
  ~StormScheduler() override = default;
  /// Nothing is remembered from process to process: the oracle knows the tasks.
  void resumed(Driver&, std::span<const ResumedTask>, const std::map<std::string, std::string>&) override {}
  /// Returns whether it ends of its own will, sooner or later.
  virtual bool may_stop() const = 0;
  /// The error that it was refused with for good; none: it was not.
  std::optional<Error> failure;
};

std::unique_ptr<StormScheduler> make_scheduler(const SchedulerSetup& setup, Told& told, Mood& mood,
                                               Random random);

}  // namespace proffer::sim::storm
