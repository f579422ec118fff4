#include "frameworks/session/scheduler_calls.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "frameworks/session/records.hpp"
#include "frameworks/session/subscription.hpp"
#include "frameworks/session/task_handlers.hpp"
#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer::frameworks {
namespace {

/// Returns how many calls from `from` on are declines that fit into one message.
std::size_t alike(const std::vector<Driver::Call>& calls, std::size_t from) {
  const auto* first = std::get_if<Driver::DeclineCall>(&calls[from]);
  std::size_t n = 0;
  while (first != nullptr && from + n < calls.size() && n < limits::kOffersPerMessage) {
    const auto* next = std::get_if<Driver::DeclineCall>(&calls[from + n]);
    if (next == nullptr || next->reason != first->reason || next->refuse_for != first->refuse_for) break;
    ++n;
  }
  return n;
}

std::vector<OfferId> offers_of(const std::vector<Driver::Call>& calls, std::size_t from, std::size_t n) {
  std::vector<OfferId> offers;
  for (std::size_t i = 0; i < n; ++i) offers.push_back(std::get<Driver::DeclineCall>(calls[from + i]).offer);
  return offers;
}

bool is_over(const State& state) { return state.finished() || state.allocator.leaving; }

void carry_out(const Turn& turn, Driver::AcceptCall& call) {
  auto& state = turn.state;
  PROFFER_CHECK(call.tasks.size() <= limits::kTasksPerAccept, "too many tasks in one accept");
  AgentId agent;
  for (const auto offer : call.offers) agent = std::max(agent, state.offers.answer(offer));
  for (const auto& task : call.tasks) state.tasks.ask(task.id, agent, task.resources);
  if (!state.in_session()) {
    for (const auto& task : call.tasks) {
      report_end(turn, task.id, TaskState::dropped, TaskReason::offer_gone, "the session was lost");
    }
    return;
  }
  if (call.tasks.empty()) {
    return turn.to_allocator(
        Decline{std::move(call.offers), call.rest, call.rest_refuse_for, state.demand.to_send()});
  }
  for (const auto& task : call.tasks) keep_task(turn, task.id);
  turn.to_allocator(state.accepts.open({0, std::move(call.offers), std::move(call.tasks), call.rest,
                                        call.rest_refuse_for, state.demand.to_send()},
                                       state.config.accept_retry, turn.now));
}

void decline(const Turn& turn, std::vector<OfferId> declined, const Driver::DeclineCall& call) {
  auto& state = turn.state;
  for (const auto offer : declined) state.offers.answer(offer);
  if (!state.in_session()) return;
  turn.to_allocator(Decline{std::move(declined), call.reason, call.refuse_for, state.demand.to_send()});
}

void carry_out(const Turn& turn, const Driver::DemandCall& call) {
  turn.state.demand.set(call.kind, call.units, turn.now);
}

void carry_out(const Turn& turn, const Driver::TaskSizeCall& call) {
  turn.state.demand.set_task_size(call.most, call.least);
}

// Nothing is to be sent without a session: a new one has no filters.
void carry_out(const Turn& turn, Revive& call) {
  auto& state = turn.state;
  state.demand.revive(call.kinds);
  if (!state.in_session()) return;
  ++state.allocator.revives;
  turn.to_allocator(Revive{std::move(call.kinds), state.demand.to_send()});
}

void carry_out(const Turn& turn, Suppress& call) {
  turn.state.demand.suppress(call.kinds);
  if (turn.state.in_session()) turn.to_allocator(std::move(call));
}

void carry_out(const Turn& turn, Kill& call) {
  auto& state = turn.state;
  if (!state.tasks.current(call.task)) return;
  call.framework = state.identity.id;
  state.kills.want(call, turn.now);
  if (state.in_session()) turn.to_allocator(std::move(call));
}

/// MESSAGE and MORE_INPUTS: they may be lost, so nothing is kept of them.
template <class M>
void send_to_task(const Turn& turn, M& message) {
  auto& state = turn.state;
  if (!state.in_session() || !state.tasks.current(message.task)) return;
  message.framework = state.identity.id;
  turn.to_allocator(std::move(message));
}

void carry_out(const Turn& turn, TaskMessage& call) { send_to_task(turn, call); }

void carry_out(const Turn& turn, MoreInputs& call) { send_to_task(turn, call); }

void carry_out(const Turn& turn, Release& call) {
  auto& state = turn.state;
  call.framework = state.identity.id;
  if (state.in_session()) {
    turn.to_allocator(call);
  } else if (!state.identity.id.value.is_nil()) {
    state.owed.releases.insert(call.job);
  }
}

void carry_out(const Turn& turn, Driver::CatalogCall& call) {
  const auto number = request_of(call.request);
  PROFFER_CHECK(number, "a request to the catalog has a number");
  turn.state.catalog.requests.open(*number, turn.now);
  turn.to_catalog(std::move(call.request));
}

void carry_out(const Turn& turn, Driver::TellCatalogCall& call) { turn.to_catalog(std::move(call.used)); }

void carry_out(const Turn& turn, Trace& call) { turn.trace(std::move(call)); }

/// Noted when the status came. There is nothing to acknowledge of one that the session reports itself.
void carry_out(const Turn&, const Driver::HoldCall&) {}

/// A status that is not acknowledged for want of a session comes again in the next, and is acknowledged then.
void carry_out(const Turn& turn, const Driver::AcknowledgeCall& call) {
  auto& state = turn.state;
  const auto later = state.owed.acknowledgements.extract(call.task);
  if (later.empty()) return;
  if (state.tasks.knows(call.task)) {
    keep_task(turn, call.task);
  } else if (state.config.keeps) {
    turn.act(DropRecord{key_of(call.task)});
  }
  if (!state.in_session()) return;
  turn.to_allocator(Acknowledge{state.identity.id, call.task, later.mapped()});
}

void carry_out(const Turn& turn, const Driver::StopCall&) { leave(turn); }

/// Taken out by keep_notes().
void carry_out(const Turn&, const Driver::KeepCall&) {}
void carry_out(const Turn&, const Driver::ForgetCall&) {}

/// Carries out calls from `from` on that go into one message, and returns how many: several for declines of
/// one reason and time, else 1.
std::size_t carry_out_alike(const Turn& turn, std::vector<Driver::Call>& calls, std::size_t from) {
  if (const auto n = alike(calls, from); n > 0) {
    decline(turn, offers_of(calls, from, n), std::get<Driver::DeclineCall>(calls[from]));
    return n;
  }
  std::visit(
      [&]<class Call>(Call& call) {
        if constexpr (!std::is_same_v<Call, Driver::DeclineCall>) carry_out(turn, call);
      },
      calls[from]);
  return 1;
}

}  // namespace

void call_scheduler(const Turn& turn, const Callback& call) { carry_out(turn, calls_of(turn, call)); }

std::vector<Driver::Call> calls_of(const Turn& turn, const Callback& call) {
  auto& state = turn.state;
  if (is_over(state)) return {};
  Driver driver(turn.now, state.random, state.catalog.next_request, state.config.keeps);
  call(driver);
  return driver.take_calls();
}

// Notes are kept first: what else was asked for may follow from them. Demand that has risen is told last:
// what the calls sent may have told it already.
void carry_out(const Turn& turn, std::vector<Driver::Call> calls) {
  keep_notes(turn, calls);
  for (std::size_t i = 0; i < calls.size() && !is_over(turn.state);) i += carry_out_alike(turn, calls, i);
  if (turn.state.in_session() && turn.state.demand.has_risen()) beat(turn);
}

}  // namespace proffer::frameworks
