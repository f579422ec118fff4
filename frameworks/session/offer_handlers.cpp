#include "frameworks/session/offer_handlers.hpp"

#include <set>
#include <utility>

#include "frameworks/session/scheduler_calls.hpp"
#include "frameworks/session/task_handlers.hpp"

namespace proffer::frameworks {
namespace {

/// An UPDATE may have come before the verdict; then the task runs, whatever the verdict says.
void note_verdict(const Turn& turn, const AcceptVerdict& verdict, bool older_session) {
  auto& tasks = turn.state.tasks;
  if (!tasks.asked(verdict.task)) return;
  // Sent again in a new session, an accept that had been carried out in the old one finds its own tasks.
  const bool own_twin = older_session && verdict.reason == TaskReason::duplicate_id;
  if (verdict.ok || own_twin) return tasks.confirm(verdict.task);
  const auto end = is_terminal(verdict.state) ? verdict.state : TaskState::dropped;
  report_end(turn, verdict.task, end, verdict.reason, "the accept was refused for this task");
}

}  // namespace

void handle(const Turn& turn, const MessageReceived&, const Offers& message) {
  auto& state = turn.state;
  auto fresh = message;
  std::erase_if(fresh.offers, [&](const Offer& offer) { return !state.offers.receive(offer, turn.now); });
  if (fresh.offers.empty()) return;
  call_scheduler(turn, [&](Driver& driver) { state.scheduler.resource_offers(driver, fresh); });
}

void handle(const Turn& turn, const MessageReceived&, const Rescind& rescind) {
  const auto known = turn.state.offers.rescind(rescind.offers, turn.now);
  if (known.empty()) return;
  call_scheduler(turn, [&](Driver& driver) { turn.state.scheduler.offers_rescinded(driver, known); });
}

void handle(const Turn& turn, const MessageReceived&, const Accepted& accepted) {
  const auto open = turn.state.accepts.close(accepted.accept);
  if (!open) return;
  std::set<TaskId> unanswered;
  for (const auto& task : open->accept.tasks) unanswered.insert(task.id);
  for (const auto& verdict : accepted.verdicts) {
    if (unanswered.erase(verdict.task) > 0) note_verdict(turn, verdict, open->older_session);
  }
  for (const auto& task : unanswered) note_verdict(turn, {task, false, TaskState::dropped}, false);
}

void send_due_accepts(const Turn& turn) {
  for (const auto* accept : turn.state.accepts.take_due(turn.now)) {
    auto again = *accept;
    again.demand = turn.state.demand.to_send();
    turn.to_allocator(std::move(again));
  }
}

}  // namespace proffer::frameworks
