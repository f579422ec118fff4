// A scheduler with its optional bases, which are found once. A callback that the scheduler does not have is
// answered as its base says.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "proffer/frameworks/scheduler_abilities.hpp"

namespace proffer::frameworks {

class SchedulerCallbacks {
 public:
  /// `scheduler` must outlive this.
  explicit SchedulerCallbacks(Scheduler& scheduler);

  void started(Driver& driver) { scheduler_.started(driver); }
  void resource_offers(Driver& driver, const Offers& offers) { scheduler_.resource_offers(driver, offers); }
  void status_update(Driver& driver, const TaskStatus& status) { scheduler_.status_update(driver, status); }
  void failed(Driver& driver, const Error& error) { scheduler_.failed(driver, error); }
  std::optional<Time> next_deadline() const { return scheduler_.next_deadline(); }
  void deadline(Driver& driver) { scheduler_.deadline(driver); }

  void subscribed(Driver& driver, const Subscribed& subscribed) const;
  void disconnected(Driver& driver) const;
  void offers_rescinded(Driver& driver, std::span<const OfferId> offers) const;
  std::vector<TaskId> choose_victims(Driver& driver, Kind kind, std::int64_t slots,
                                     std::span<const HeldTask> newest_first) const;
  void task_said(Driver& driver, const TaskId& task, const std::string& payload) const;
  void catalog_answered(Driver& driver, const Message& answer) const;
  void replicas_changed(Driver& driver, const ReplicasChanged& changed) const;
  /// Returns whether it goes on with the tasks of a former process; resumed() is for those that do.
  bool resumes() const { return resumes_ != nullptr; }
  void resumed(Driver& driver, std::span<const ResumedTask> tasks,
               const std::map<std::string, std::string>& notes) const;
  Result<std::string> kill_job(Driver& driver, const KillJob& kill) const;
  Result<std::string> move_job(Driver& driver, const MoveJob& move) const;
  Result<std::string> submit_job(Driver& driver, const SubmitJob& job) const;
  Result<std::vector<DetachedJob>> describe_jobs(Driver& driver, const DescribeJobs& wanted) const;

 private:
  Scheduler& scheduler_;
  FollowsSession* follows_session_;  ///< null, as the next ones, where the scheduler does without
  ChoosesVictims* chooses_victims_;
  HearsTasks* hears_tasks_;
  UsesCatalog* uses_catalog_;
  ChangesJobs* changes_jobs_;
  Resumes* resumes_;
  TakesJobs* takes_jobs_;
};

}  // namespace proffer::frameworks
