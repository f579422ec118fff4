#include "allocator/peers/framework_removal.hpp"

#include <algorithm>

#include "allocator/offers/offer_endings.hpp"
#include "allocator/offers/offer_handlers.hpp"
#include "allocator/pools/job_handlers.hpp"
#include "allocator/state/ledger.hpp"
#include "allocator/state/records.hpp"
#include "allocator/tasks/task_handlers.hpp"

namespace proffer::allocator {
namespace {

void close_session(const Turn& turn, FrameworkRecord& framework) {
  if (!framework.contact.session) return;
  turn.state.peers.release(framework.contact.session->peer());
  framework.contact.session.reset();
  forget_job_changes(turn, framework);
  turn.state.starvation.clocks.forget(framework.index);  // a framework that is gone refuses nothing
  // The demand ends before the offers do: else the framework would become hungry for the slots that it gives
  // back.
  sync_demand(turn, framework);
  void_all_of(turn, framework);
}

/// Ends a task of a framework that is given up. What it has not acknowledged interests nobody any more, and
/// is acknowledged in its place: else the agent would keep it, and a later end behind it, until it is sent
/// again. A task out of reach is dealt with when its agent comes back.
void end_task(const Turn& turn, TaskRecord& task) {
  auto& state = turn.state;
  settle_owed(turn, task);
  if (task.ended()) return forget_task(state, task);
  if (state.cluster[*task.agent].reach == Reach::unreachable) return strand_task(state, task);
  kill(turn, task, state.config.kill_grace);
}

auto waiting(State& state) {
  return [&state](Time at, FrameworkId id) {
    const auto* framework = state.frameworks.find(id);
    return framework != nullptr && framework->failover.give_up_at == at;
  };
}

}  // namespace

void end_session(const Turn& turn, FrameworkRecord& framework, const std::string& why) {
  const auto give_up_at =
      std::max(turn.now + framework.failover.timeout, turn.state.peer_timers.forgiving_until);
  if (give_up_at <= turn.now) return give_up(turn, framework, why);
  close_session(turn, framework);
  framework.failover.give_up_at = give_up_at;
  turn.state.peer_timers.give_ups.push(*framework.failover.give_up_at, framework.id);
  turn.trace(FrameworkLost{framework.id, false, why});
}

void give_up(const Turn& turn, FrameworkRecord& framework, const std::string& why) {
  auto& state = turn.state;
  framework.failover.removed = true;
  drop(turn, framework);  // before its tasks are ended: after a restart nobody must take them up
  framework.failover.give_up_at.reset();
  close_session(turn, framework);
  turn.trace(FrameworkLost{framework.id, true, why});
  for (const auto launch : framework.launches()) end_task(turn, state.tasks[launch]);
  remove_if_over(turn, framework);  // last: the record may be gone afterwards
}

bool give_up_one(const Turn& turn) {
  auto& state = turn.state;
  const auto due = state.peer_timers.give_ups.pop_due(turn.now, waiting(state));
  if (!due) return false;
  give_up(turn, *state.frameworks.find(*due), "its failover timeout is over");
  return true;
}

void settle_give_ups(State& state) { state.peer_timers.give_ups.settle(waiting(state)); }

}  // namespace proffer::allocator
