// The scheduler of the drivers of detached jobs.
#include "proffer/frameworks/drivers.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "frameworks/drivers/driven_job.hpp"
#include "frameworks/drivers/driver_ends.hpp"
#include "frameworks/drivers/driver_notes.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

using drivers::DrivenJob;
using Stage = DrivenJob::Stage;

/// The time that a driver has between SIGTERM and SIGKILL: it ends its tasks, and removes what they wrote.
constexpr Duration kGrace = std::chrono::seconds(20);
/// The time for which an agent is not looked at that a waiting job avoids.
constexpr Duration kLookAgain = std::chrono::seconds(10);

}  // namespace

struct Drivers::Impl {
  Kind own{kOwnKind};
  Kind other{kOtherKind};
  std::map<JobId, DrivenJob> jobs;
  std::uint32_t newest = 0;
  FrameworkId framework;
  Resources slots;       ///< slots of the whole cluster
  bool learned = false;  ///< slots were told, and not looked at yet
  std::optional<Error> refusal;

  /// The kind of slots that drivers run on.
  Kind kind() const { return slots[own] > 0 ? own : other; }
  std::int64_t count(Stage stage) const {
    return std::count_if(jobs.begin(), jobs.end(),
                         [&](const auto& one) { return one.second.stage == stage; });
  }
  /// Slots that may be taken beside those that are.
  std::int64_t room() const {
    const auto all = kind() == own ? slots[own] : slots[other] / 2;
    return std::max<std::int64_t>(0, all - count(Stage::out));
  }

  void want(Driver& driver) const {
    const auto waiting = std::min(room(), count(Stage::waiting));
    const auto all = count(Stage::out) + waiting;
    driver.set_demand(kind(), all);
    driver.set_demand(kind() == own ? other : own, 0);
    if (waiting > 0) driver.revive({kind()});
  }

  /// The job that waits longest for a slot, and that may be started there now.
  std::map<JobId, DrivenJob>::iterator next_for(AgentId agent, Time now) {
    return std::find_if(jobs.begin(), jobs.end(), [&](const auto& one) {
      const auto& job = one.second;
      const bool avoids = job.avoids == agent && job.avoids_until > now;
      return job.stage == Stage::waiting && job.not_before <= now && !avoids;
    });
  }

  TaskSpec launch(Driver& driver, JobId id, DrivenJob& job, const Offer& offer) const {
    job.stage = Stage::out;
    ++job.starts;
    job.agent = offer.agent;
    job.ends = job.killed;
    drivers::note_progress(driver, id, job);
    auto work = job.spec.command;
    const Driving driving{job.spec.framework, job.spec.secret, job.starts, job.ends};
    work.env.emplace_back(kDrivingVariable, to_text(driving));
    return {job.task(), Resources{{kind(), 1}}, id, std::make_shared<const Work>(std::move(work))};
  }

  /// Wants no slots of kinds that it does not run on. A kind of which nothing is said is one of which all are
  /// wanted, which would count in the fair shares of others.
  void want_no_others(Driver& driver, const Resources& offered) const {
    for (const auto& [name, count] : offered) {
      if (name != own && name != other) driver.set_demand(name, 0);
    }
  }

  void answer(Driver& driver, const Offer& offer) {
    want_no_others(driver, offer.resources);
    const bool fits = offer.resources[kind()] > 0 && room() > 0;
    const auto found = fits ? next_for(offer.agent.id, driver.now()) : jobs.end();
    if (found != jobs.end()) {
      auto task = launch(driver, found->first, found->second, offer);
      driver.accept({offer.id}, {std::move(task)});
    } else if (fits && count(Stage::waiting) > 0) {
      driver.decline(offer.id, DeclineReason::policy, kLookAgain);  // avoided, or before its time
    } else {
      driver.decline(offer.id, DeclineReason::no_pending_task, Duration::zero());
    }
  }

  std::map<JobId, DrivenJob>::iterator owner_of(const TaskId& task) {
    return std::find_if(jobs.begin(), jobs.end(),
                        [&](const auto& one) { return one.second.starts > 0 && one.second.task() == task; });
  }

  void hold(Driver& driver, JobId id, DrivenJob& job, const TaskStatus& status) {
    job.held = is_terminal(status.state);
    if (job.held) driver.hold(status.task);
    drivers::note_progress(driver, id, job);
  }

  void status_update(Driver& driver, const TaskStatus& status) {
    const auto at = owner_of(status.task);
    if (at == jobs.end()) return;
    auto& [id, job] = *at;
    const bool ends = is_terminal(status.state);
    // Told anew after a restart: its output is still needed.
    if (job.over() && ends && job.held) return driver.hold(status.task);
    if (job.stage != Stage::out || (!ends && status.state != TaskState::unreachable)) return;
    // Should it come back it is killed; it can do no harm before, since the next driver takes its place.
    if (!ends) driver.kill(status.task, kGrace);
    drivers::driver_ended(job, status, driver.now());
    if (job.over()) {
      hold(driver, id, job, status);
      forget_oldest(driver);
    } else {
      drivers::note_progress(driver, id, job);
    }
    want(driver);
  }

  /// Keeps so many of those that are over.
  void forget_oldest(Driver& driver) {
    while (count(Stage::over) > static_cast<std::int64_t>(limits::kDetachedJobsKept)) {
      const auto oldest =
          std::find_if(jobs.begin(), jobs.end(), [](const auto& one) { return one.second.over(); });
      if (oldest->second.held) driver.acknowledge(oldest->second.task());
      driver.release(oldest->first);
      drivers::forget_notes(driver, oldest->first);
      jobs.erase(oldest);
    }
  }

  void resume(Driver& driver, std::span<const ResumedTask> tasks) {
    std::set<TaskId> alive;
    for (const auto& task : tasks) {
      if (!is_terminal(task.state)) alive.insert(task.task);
    }
    for (auto& [id, job] : jobs) {
      newest = std::max(newest, id.value);
      const bool there = job.starts > 0 && alive.erase(job.task()) > 0;
      if (job.stage == Stage::out && !there) job.stage = Stage::waiting;  // never asked for
    }
    for (const auto& task : alive) driver.kill(task, kGrace);
  }

  /// The jobs whose ids begin so.
  std::vector<JobId> find(const std::string& prefix) const {
    std::vector<JobId> found;
    for (const auto& [id, job] : jobs) {
      if (job.spec.id == prefix) return {id};
      if (job.spec.id.starts_with(prefix)) found.push_back(id);
    }
    return found;
  }
};

Drivers::Drivers() : impl_(std::make_unique<Impl>()) {}
Drivers::~Drivers() = default;

void Drivers::learn_slots(const Resources& total) {
  impl_->learned = impl_->learned || !(impl_->slots == total);
  impl_->slots = total;
}

const std::optional<Error>& Drivers::refusal() const { return impl_->refusal; }

bool Drivers::wants_slots() const {
  return impl_->count(Stage::waiting) > 0 || (impl_->slots.empty() && impl_->count(Stage::out) > 0);
}

void Drivers::resumed(Driver& driver, std::span<const ResumedTask> tasks,
                      const std::map<std::string, std::string>& notes) {
  impl_->jobs = drivers::read_notes(notes);
  impl_->resume(driver, tasks);
}

void Drivers::started(Driver& driver) { impl_->want(driver); }

void Drivers::subscribed(Driver& driver, const Subscribed& subscribed) {
  impl_->framework = subscribed.framework;
  impl_->want(driver);
}

void Drivers::resource_offers(Driver& driver, const Offers& offers) {
  for (const auto& offer : offers.offers) impl_->answer(driver, offer);
}

void Drivers::status_update(Driver& driver, const TaskStatus& status) {
  impl_->status_update(driver, status);
}

void Drivers::failed(Driver&, const Error& error) { impl_->refusal = error; }

std::optional<Time> Drivers::next_deadline() const {
  if (impl_->learned) return Time{};
  std::optional<Time> next;
  for (const auto& [id, job] : impl_->jobs) {
    if (job.stage != Stage::waiting) continue;
    if (job.not_before > Time{}) next = earlier(next, job.not_before);
    if (job.avoids_until > Time{}) next = earlier(next, job.avoids_until);
  }
  return next;
}

void Drivers::deadline(Driver& driver) {
  impl_->learned = false;
  for (auto& [id, job] : impl_->jobs) {
    if (job.not_before <= driver.now()) job.not_before = {};
    if (job.avoids_until <= driver.now()) job.avoids_until = {};
  }
  impl_->want(driver);
}

Result<std::string> Drivers::submit_job(Driver& driver, const SubmitJob& job) {
  for (const auto& [id, known] : impl_->jobs) {
    if (known.spec.framework == job.framework) return "job " + job.id + " is taken";
    if (known.spec.id == job.id) return Error{ErrorCode::exists, "there is a job " + job.id};
  }
  if (auto fine = drivers::check_spec(job); !fine) return fine.error();
  if (impl_->jobs.size() - static_cast<std::size_t>(impl_->count(Stage::over)) >= limits::kDetachedJobs) {
    return Error{ErrorCode::slow_down, "too many detached jobs are under way; try again later"};
  }
  const JobId id{++impl_->newest};
  auto& taken = impl_->jobs[id];
  taken.spec = job;
  taken.spec.request = 0;
  drivers::note_spec(driver, id, taken);
  drivers::note_progress(driver, id, taken);
  impl_->want(driver);
  return "job " + job.id + " is taken";
}

Result<std::vector<DetachedJob>> Drivers::describe_jobs(Driver&, const DescribeJobs& wanted) {
  std::vector<DetachedJob> found;
  for (const auto id : impl_->find(wanted.id)) {
    found.push_back(impl_->jobs.at(id).described(impl_->framework, id));
  }
  return found;
}

Result<std::string> Drivers::kill_job(Driver& driver, const KillJob& kill) {
  const auto found = impl_->find(kill.job);
  if (found.empty()) return Error{ErrorCode::not_found, "there is no detached job '" + kill.job + "'"};
  if (found.size() > 1) {
    return Error{ErrorCode::not_found, "more than one detached job begins with '" + kill.job + "'"};
  }
  auto& job = impl_->jobs.at(found.front());
  if (job.over()) return Error{ErrorCode::refused, "job " + job.spec.id + " has ended"};
  if (job.killed) return "job " + job.spec.id + " is killed already";
  job.killed = true;
  job.text = drivers::beginning_of("it was killed" + (kill.by.empty() ? "" : " by " + kill.by) +
                                   (kill.why.empty() ? "" : ": " + kill.why));
  drivers::note_progress(driver, found.front(), job);
  if (job.stage == Stage::out) driver.kill(job.task(), kGrace);
  return "job " + job.spec.id + " is killed";
}

Result<std::string> Drivers::move_job(Driver&, const MoveJob&) {
  return Error{ErrorCode::refused,
               "detached jobs cannot be moved; the framework of one can (proffer framework move)"};
}

}  // namespace proffer
