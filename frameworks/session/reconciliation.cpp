#include "frameworks/session/reconciliation.hpp"

#include <chrono>
#include <utility>

#include "proffer/limits.hpp"

namespace proffer::frameworks {
namespace {

/// Half of the time after which the first question is asked again.
constexpr Duration kAskAgain = std::chrono::milliseconds(500);
constexpr Duration kLongestAskAgain = std::chrono::seconds(10);

}  // namespace

void Reconciliation::hurry(Time now) {
  resend_.emplace(kAskAgain, kLongestAskAgain, now);
  resend_->hurry(now);
}

void Reconciliation::want(const std::set<TaskId>& tasks, Time now) {
  if (tasks.empty()) return;
  tasks_.insert(tasks.begin(), tasks.end());
  hurry(now);
}

void Reconciliation::want_all(Time now) {
  all_ = true;
  hurry(now);
}

void Reconciliation::received(const Reconciled& page) {
  if (page.request == all_request_ && page.last && page.complete) all_ = false;
}

std::vector<Reconcile> Reconciliation::take_due(const TaskLedger& ledger, Time now) {
  std::vector<Reconcile> requests;
  if (!open() || !resend_->is_due(now)) return requests;
  std::erase_if(tasks_, [&](const TaskId& task) { return !ledger.current(task); });
  Reconcile page;
  const auto finish_page = [&] {
    page.request = ++requests_;
    requests.push_back(std::exchange(page, {}));
  };
  for (const auto& task : tasks_) {
    page.tasks.push_back({task, ledger.agent(task)});
    if (page.tasks.size() == limits::kTasksPerAccept) finish_page();
  }
  if (!page.tasks.empty()) finish_page();
  if (all_) {
    finish_page();
    all_request_ = requests_;
  }
  resend_->sent(now);
  return requests;
}

std::optional<Time> Reconciliation::next_deadline() const {
  if (!open()) return {};
  return resend_->at();
}

}  // namespace proffer::frameworks
