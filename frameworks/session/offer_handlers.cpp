// OFFERS, RESCIND and ACCEPTED.
#include <set>
#include <utility>

#include "frameworks/session/framework_impl.hpp"

namespace proffer {

void Framework::Impl::on_offers(const Offers& message, Turn turn) {
  Offers fresh;
  fresh.standings = message.standings;
  for (const auto& offer : message.offers) {
    if (offers.receive(offer, turn.now)) fresh.offers.push_back(offer);
  }
  if (fresh.offers.empty()) return;
  callback([&](Driver& driver) { scheduler.resource_offers(driver, fresh); }, turn);
}

void Framework::Impl::on_rescind(const Rescind& rescind, Turn turn) {
  const auto known = offers.rescind(rescind.offers, turn.now);
  if (known.empty()) return;
  callback([&](Driver& driver) { scheduler.offers_rescinded(driver, known); }, turn);
}

void Framework::Impl::on_accepted(const Accepted& accepted, Turn turn) {
  const auto open = accepts.close(accepted.accept);
  if (!open) return;
  std::set<TaskId> unanswered;
  for (const auto& task : open->accept.tasks) unanswered.insert(task.id);
  for (const auto& verdict : accepted.verdicts) {
    if (unanswered.erase(verdict.task) > 0) on_verdict(verdict, open->older_session, turn);
  }
  for (const auto& task : unanswered) on_verdict({task, false, TaskState::dropped}, false, turn);
}

/// An UPDATE may have come before the verdict; then the task runs, whatever the verdict says.
void Framework::Impl::on_verdict(const AcceptVerdict& verdict, bool older_session, Turn turn) {
  if (!tasks.asked(verdict.task)) return;
  // Sent again in a new session, an accept that had been carried out in the old one finds its own tasks.
  const bool own_twin = older_session && verdict.reason == TaskReason::duplicate_id;
  if (verdict.ok || own_twin) return tasks.confirm(verdict.task);
  const auto state = is_terminal(verdict.state) ? verdict.state : TaskState::dropped;
  report_end(verdict.task, state, verdict.reason, "the accept was refused for this task", turn);
}

void Framework::Impl::send_due_accepts(Turn turn) {
  for (const auto* accept : accepts.take_due(turn.now)) {
    auto again = *accept;
    again.demand = demand.to_send();
    send(std::move(again), turn);
  }
}

}  // namespace proffer
