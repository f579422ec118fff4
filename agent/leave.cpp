#include "agent/leave.hpp"

#include "agent/ending.hpp"
#include "agent/registration.hpp"

namespace proffer::agent {
namespace {

bool kills_tasks(const State& state) { return state.leave.wanted && state.leave.wanted->kill_tasks; }

bool has_ended_tasks(const State& state) {
  return !kills_tasks(state) || (state.runs.all().empty() && state.recovery.done());
}

}  // namespace

// The allocator hears of it as of trouble: what it would launch now would end at once.
void handle(const Turn& turn, const Stopping& stopping) {
  auto& state = turn.state;
  state.leave.wanted = stopping;
  if (stopping.kill_tasks) state.health.ending();
}

void handle(const Turn& turn, const MessageReceived&, const Bye&) { lose_allocator(turn); }

// The ends of tasks are kept, so that a farewell without a session loses none; in a session each is said
// once. Runs of a former life join when it is known that they live, so all are asked in every step.
void tend_leave(const Turn& turn) {
  auto& state = turn.state;
  if (!state.leave.wanted) return;
  if (kills_tasks(state)) {
    for (const auto& [launch, run] : state.runs.all()) {
      if (run.end_asked || state.recovery.awaits(launch)) continue;
      ask_to_end(turn, *state.runs.find(launch), TaskReason::drained, state.config.orphan_grace);
    }
  }
  if (state.leave.taken || !has_ended_tasks(state)) return;
  const bool in_session = state.allocator.session.open();
  if (in_session && kills_tasks(state) && !state.statuses.all_sent()) return;
  if (in_session) turn.to_allocator(Bye{"agent " + state.config.name + " is stopped"});
  state.leave.taken = true;
  state.allocator.session.abandon();
  state.catalog.session.reset();
  state.catalog.next_pages.reset();
}

bool has_left(const State& state) { return state.leave.taken && has_ended_tasks(state); }

}  // namespace proffer::agent
