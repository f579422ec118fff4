// A bag of commands: N instances of one command on slots of one kind, for `proffer run`.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "proffer/frameworks/policy_spec.hpp"
#include "proffer/frameworks/scheduler_abilities.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/resources.hpp"
#include "proffer/trace.hpp"

namespace proffer {

struct BatchSpec {
  /// The job that its tasks are of.
  static constexpr JobId kJob{1};
  /// The command of all instances. Every `{}` in its arguments becomes the instance's index, which is also in
  /// PROFFER_TASK_INDEX. With an output_token, what the instances write is kept at their agents until
  /// handed_on() is called.
  CommandWork command;
  std::uint32_t instances = 1;
  Kind kind{"map"};
  Resources need = {};  ///< bulk resources of an instance, then `kind` is `cpus`; empty: one slot
  /// The agents and racks, by name, that the instances prefer; an agent in a preferred rack counts as a
  /// preferred one, and so does its whole rack as the next best thing for one that is named. Both empty: any.
  std::vector<std::string> agents;
  std::vector<std::string> racks;
  /// The attempts after which an instance that failed is not run again; at least 1. An attempt that its agent
  /// or the network has ended does not count: the instance is run again in any case.
  std::uint32_t max_attempts = 1;
  /// True when the instances start all at once or not at all, like ranks of MPI. When one of them does not
  /// end with exit code 0, those that run are killed with it, and all that have not finished start again, or
  /// have failed with it.
  bool rigid = false;
  /// The number of each instance's first try: above those of all former drivers of a detached job.
  std::uint32_t first_try = 0;
};

/// Returns whether a bag can be run: else `invalid` in one sentence, for a command without a name, or with
/// more or longer arguments than a message can carry.
Result<> check_batch(const BatchSpec& spec);

/// An attempt of an instance.
struct BatchAttempt {
  std::uint32_t index = 0;    ///< number of the instance, from 0
  std::uint32_t attempt = 0;  ///< number of the attempt, from 0
  bool last = false;          ///< true in ended() when the instance is not run again
  bool kept = false;  ///< true in ended() when the agent keeps what it wrote, until handed_on() is called
};

/// An observer that shows progress. Called from within the scheduler's callbacks.
class BatchObserver {
 public:
  virtual ~BatchObserver() = default;
  /// An attempt has got a slot on that agent.
  virtual void placed(const BatchAttempt&, const AgentInfo& /*agent*/) {}
  /// The attempt's process runs.
  virtual void running(const BatchAttempt&, const TaskStatus&) {}
  /// The attempt has ended, with that status.
  virtual void ended(const BatchAttempt& attempt, const TaskStatus& status) = 0;
  /// Too few slots have come together for a rigid bag, which tries again after a pause.
  virtual void waits(const GatheredTooFew&) {}
  /// Every instance has ended, or the allocator refused the framework for good.
  virtual void done() {}
};

/// The scheduler; give it to a Framework. It stops the framework when every instance has ended, and what was
/// kept has been handed on.
class Batch final : public Scheduler, public FollowsSession, public Resumes {
 public:
  /// Makes a scheduler for a bag for which check_batch() holds. `observer` must outlive it.
  Batch(BatchSpec spec, std::unique_ptr<Policy> policy, BatchObserver& observer);
  ~Batch() override;

  std::uint32_t failed_count() const;  ///< instances that ended for good, and not with exit code 0
  /// Has the output of this task, an attempt that was `kept`, deleted: it is needed no longer. Takes effect
  /// at the next deadline(), which is now.
  void handed_on(TaskId task);
  /// The reason for which the allocator refused the framework; none while it has not.
  const std::optional<Error>& refusal() const;

  /// Goes on with the instances of a former process that was given the same command, as many times: those
  /// that are over are not run again, those that run go on.
  void resumed(Driver& driver, std::span<const ResumedTask> tasks,
               const std::map<std::string, std::string>& notes) override;
  void started(Driver& driver) override;
  void resource_offers(Driver& driver, const Offers& offers) override;
  void offers_rescinded(Driver& driver, std::span<const OfferId> offers) override;
  void disconnected(Driver& driver) override;
  void status_update(Driver& driver, const TaskStatus& status) override;
  void failed(Driver& driver, const Error& error) override;
  std::optional<Time> next_deadline() const override;
  void deadline(Driver& driver) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer
