#include "frameworks/session/scheduler_callbacks.hpp"

namespace proffer {

Scheduler::~Scheduler() = default;
FollowsSession::~FollowsSession() = default;
ChoosesVictims::~ChoosesVictims() = default;
HearsTasks::~HearsTasks() = default;
UsesCatalog::~UsesCatalog() = default;
ChangesJobs::~ChangesJobs() = default;
Resumes::~Resumes() = default;
TakesJobs::~TakesJobs() = default;

std::vector<TaskId> newest_victims(std::int64_t slots, std::span<const HeldTask> newest_first) {
  std::vector<TaskId> victims;
  for (const auto& running : newest_first) {
    if (slots <= 0) break;
    slots -= running.slots;
    victims.push_back(running.task);
  }
  return victims;
}

namespace frameworks {

SchedulerCallbacks::SchedulerCallbacks(Scheduler& scheduler)
    : scheduler_(scheduler),
      follows_session_(dynamic_cast<FollowsSession*>(&scheduler)),
      chooses_victims_(dynamic_cast<ChoosesVictims*>(&scheduler)),
      hears_tasks_(dynamic_cast<HearsTasks*>(&scheduler)),
      uses_catalog_(dynamic_cast<UsesCatalog*>(&scheduler)),
      changes_jobs_(dynamic_cast<ChangesJobs*>(&scheduler)),
      resumes_(dynamic_cast<Resumes*>(&scheduler)),
      takes_jobs_(dynamic_cast<TakesJobs*>(&scheduler)) {}

void SchedulerCallbacks::subscribed(Driver& driver, const Subscribed& subscribed) const {
  if (follows_session_ != nullptr) follows_session_->subscribed(driver, subscribed);
}

void SchedulerCallbacks::disconnected(Driver& driver) const {
  if (follows_session_ != nullptr) follows_session_->disconnected(driver);
}

void SchedulerCallbacks::offers_rescinded(Driver& driver, std::span<const OfferId> offers) const {
  if (follows_session_ != nullptr) follows_session_->offers_rescinded(driver, offers);
}

std::vector<TaskId> SchedulerCallbacks::choose_victims(Driver& driver, Kind kind, std::int64_t slots,
                                                       std::span<const HeldTask> newest_first) const {
  if (chooses_victims_ == nullptr) return newest_victims(slots, newest_first);
  return chooses_victims_->choose_victims(driver, kind, slots, newest_first);
}

void SchedulerCallbacks::task_said(Driver& driver, const TaskId& task, const std::string& payload) const {
  if (hears_tasks_ != nullptr) hears_tasks_->task_said(driver, task, payload);
}

void SchedulerCallbacks::catalog_answered(Driver& driver, const Message& answer) const {
  if (uses_catalog_ != nullptr) uses_catalog_->catalog_answered(driver, answer);
}

void SchedulerCallbacks::replicas_changed(Driver& driver, const ReplicasChanged& changed) const {
  if (uses_catalog_ != nullptr) uses_catalog_->replicas_changed(driver, changed);
}

void SchedulerCallbacks::resumed(Driver& driver, std::span<const ResumedTask> tasks,
                                 const std::map<std::string, std::string>& notes) const {
  if (resumes_ != nullptr) resumes_->resumed(driver, tasks, notes);
}

Result<std::string> SchedulerCallbacks::kill_job(Driver& driver, const KillJob& kill) const {
  if (changes_jobs_ == nullptr) return Error{ErrorCode::refused, "its jobs cannot be killed"};
  return changes_jobs_->kill_job(driver, kill);
}

Result<std::string> SchedulerCallbacks::move_job(Driver& driver, const MoveJob& move) const {
  if (changes_jobs_ == nullptr) return Error{ErrorCode::refused, "its jobs cannot be moved"};
  return changes_jobs_->move_job(driver, move);
}

Result<std::string> SchedulerCallbacks::submit_job(Driver& driver, const SubmitJob& job) const {
  if (takes_jobs_ == nullptr) return Error{ErrorCode::refused, "it takes no jobs"};
  return takes_jobs_->submit_job(driver, job);
}

Result<std::vector<DetachedJob>> SchedulerCallbacks::describe_jobs(Driver& driver,
                                                                   const DescribeJobs& wanted) const {
  if (takes_jobs_ == nullptr) return Error{ErrorCode::refused, "it takes no jobs"};
  return takes_jobs_->describe_jobs(driver, wanted);
}

}  // namespace frameworks
}  // namespace proffer
