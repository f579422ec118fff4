#include "allocator/offers/slot_reports.hpp"

namespace proffer::allocator {

void await_report(State& state, AgentRecord& agent) {
  if (state.config.report_period <= Duration::zero()) return;
  for (auto& slots : agent.slots) state.cluster.close(agent, slots);
}

// An agent that was told a period by a former life of this allocator may go on reporting: all its slots are
// open then, and what it says changes nothing.
void handle(const Turn& turn, AgentRecord& agent, const MessageReceived&, const SlotReport&) {
  auto& state = turn.state;
  if (state.config.report_period <= Duration::zero()) return;
  for (auto& slots : agent.slots) {
    for (auto& lot : slots.free) lot.fresh = true;  // each report is an opportunity of its own
    state.cluster.open(agent, slots);
    state.agenda.released.add(agent.index, slots.kind);
  }
}

}  // namespace proffer::allocator
