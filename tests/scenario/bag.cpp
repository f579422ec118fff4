#include "tests/scenario/bag.hpp"

#include <stdexcept>
#include <utility>

namespace proffer::scenario {
namespace {

std::unique_ptr<Policy> policy_of(const PolicySpec& spec) {
  auto policy = make_policy(spec);
  if (!policy) throw std::invalid_argument(policy.error().message);
  return std::move(policy).value();
}

}  // namespace

Bag::Bag(const PolicySpec& policy)
    : policy_(policy_of(policy)), answer_(pool_, *policy_, {Kind{"map"}, Kind{"reduce"}}) {}

void Bag::add(const Job& job) {
  const JobId id{++jobs_};
  pool_.add_job(id, job.name);
  for (int i = 1; i <= job.tasks; ++i) {
    const TaskId task{job.name + "-" + std::to_string(i)};
    tasks_[task] = {id, {task, job.kind, job.nodes, job.racks}};
    pool_.add(id, tasks_.at(task).second);
  }
  wishes_.added.push_back(job.kind);
}

void Bag::resource_offers(Driver& driver, const Offers& offers) {
  if (silent_) return;
  answer_.answer(driver, offers, [](const Placement& placed, const Offer& offer) {
    const auto kind = offer.resources.begin()->first;
    CommandWork work{{"true"}, {}};
    return TaskSpec{placed.task, Resources{{kind, 1}}, placed.job,
                    std::make_shared<const Work>(std::move(work))};
  });
}

void Bag::status_update(Driver& driver, const TaskStatus& status) {
  if (!is_terminal(status.state)) return;
  const auto [job, task] = tasks_.at(status.task);
  pool_.ended(job, task.kind, status.task, driver.now());
  const bool never_ran = status.state == TaskState::dropped || status.state == TaskState::rejected;
  const bool no_fault_of_its_own = status.state == TaskState::lost || is_agents_fault(status.reason);
  if (never_ran || no_fault_of_its_own) launch_again(driver, job, task);
  answer_.declare(driver);
}

/// Under another id: one that was used is never used again.
void Bag::launch_again(Driver& driver, JobId job, PendingTask task) {
  task.id.value += "-again";
  tasks_[task.id] = {job, task};
  pool_.add(job, task);
  answer_.tasks_added(driver, task.kind);
}

std::optional<Time> Bag::next_deadline() const { return wishes_.any() ? Time{} : answer_.next_deadline(); }

void Bag::deadline(Driver& driver) {
  const auto wishes = std::exchange(wishes_, {});
  for (const auto kind : wishes.added) answer_.tasks_added(driver, kind);
  for (const auto& task : wishes.kills) driver.kill(task);
  if (!wishes.revived.empty()) driver.revive(wishes.revived);
  if (!wishes.suppressed.empty()) driver.suppress(wishes.suppressed);
  if (wishes.stop) driver.stop();
  answer_.deadline(driver);
}

}  // namespace proffer::scenario
