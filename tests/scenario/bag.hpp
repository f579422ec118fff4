// A small framework: jobs that are bags of tasks, which may prefer agents, under any policy.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frameworks/pool/offer_answer.hpp"
#include "proffer/frameworks/policy_spec.hpp"
#include "proffer/frameworks/scheduler_abilities.hpp"
#include "proffer/frameworks/task_pool.hpp"

namespace proffer::scenario {

/// Tasks JOB-1, JOB-2, ... of one kind.
struct Job {
  std::string name;
  Kind kind;
  int tasks = 0;
  std::vector<AgentId> nodes;      ///< which all its tasks prefer
  std::vector<std::string> racks;  ///< of these nodes
};

class Bag final : public Scheduler, public ChoosesVictims {
 public:
  explicit Bag(const PolicySpec& policy);

  // Orders of the script. They are carried out at the next deadline, which is at once.
  void add(const Job& job);
  void kill(const std::string& task) { wishes_.kills.push_back({task}); }
  void revive(Kind kind) { wishes_.revived.push_back(kind); }
  void suppress(Kind kind) { wishes_.suppressed.push_back(kind); }
  void stop() { wishes_.stop = true; }
  /// Neither accepts nor declines from now on.
  void fall_silent() { silent_ = true; }
  /// Gives nothing back from now on.
  void grow_stubborn() { stubborn_ = true; }

  void started(Driver& driver) override { answer_.declare(driver); }
  void resource_offers(Driver& driver, const Offers& offers) override;
  void status_update(Driver& driver, const TaskStatus& status) override;
  std::vector<TaskId> choose_victims(Driver&, Kind, std::int64_t slots,
                                     std::span<const HeldTask> newest_first) override {
    if (stubborn_) return {};
    return newest_victims(slots, newest_first);
  }
  std::optional<Time> next_deadline() const override;
  void deadline(Driver& driver) override;

 private:
  void launch_again(Driver& driver, JobId job, PendingTask task);

  struct Wishes {
    std::vector<Kind> added;  ///< kinds that got tasks
    std::vector<TaskId> kills;
    std::vector<Kind> revived;
    std::vector<Kind> suppressed;
    bool stop = false;
    bool any() const {
      return !added.empty() || !kills.empty() || !revived.empty() || !suppressed.empty() || stop;
    }
  };

  TaskPool pool_;
  std::unique_ptr<Policy> policy_;
  frameworks::OfferAnswer answer_;
  std::map<TaskId, std::pair<JobId, PendingTask>> tasks_;
  std::uint32_t jobs_ = 0;
  Wishes wishes_;
  bool silent_ = false;
  bool stubborn_ = false;
};

}  // namespace proffer::scenario
