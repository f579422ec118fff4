// What the scheduler asked for in a callback, in order, as messages.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "frameworks/session/framework_impl.hpp"
#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

std::uint64_t request_number(const Message& message) {
  return std::visit(
      [](const auto& body) -> std::uint64_t {
        if constexpr (requires { body.request; }) {
          return body.request;
        } else {
          return 0;
        }
      },
      message);
}

/// How many calls from `from` on are declines that fit into one message.
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

}  // namespace

void Framework::Impl::callback(const Callback& call, Turn turn) { take(calls_of(call, turn), turn); }

std::vector<Driver::Call> Framework::Impl::calls_of(const Callback& call, Turn turn) {
  if (phase == Phase::finished || leaving) return {};
  Driver driver(turn.now, random, next_request);
  call(driver);
  return driver.take_calls();
}

void Framework::Impl::take(std::vector<Driver::Call> calls, Turn turn) {
  std::size_t i = 0;
  while (i < calls.size() && phase != Phase::finished && !leaving) {
    if (const auto n = alike(calls, i); n > 0) {
      decline(offers_of(calls, i, n), std::get<Driver::DeclineCall>(calls[i]), turn);
      i += n;
      continue;
    }
    std::visit(
        [&](auto& call) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(call)>, Driver::DeclineCall>)
            on_call(call, turn);
        },
        calls[i]);
    ++i;
  }
  if (phase == Phase::open && demand.has_risen()) beat(turn);
}

void Framework::Impl::on_call(Driver::AcceptCall& call, Turn turn) {
  PROFFER_CHECK(call.tasks.size() <= limits::kTasksPerAccept, "too many tasks in one accept");
  AgentId agent;
  for (const auto offer : call.offers) agent = std::max(agent, offers.answer(offer));
  for (const auto& task : call.tasks) tasks.ask(task.id, agent, task.resources);
  if (phase != Phase::open) {
    for (const auto& task : call.tasks) {
      report_end(task.id, TaskState::dropped, TaskReason::offer_gone, "the session was lost", turn);
    }
    return;
  }
  if (call.tasks.empty()) {
    send(Decline{std::move(call.offers), call.rest, call.rest_refuse_for, demand.to_send()}, turn);
    return;
  }
  send(accepts.open({0, std::move(call.offers), std::move(call.tasks), call.rest, call.rest_refuse_for,
                     demand.to_send()},
                    config.accept_retry, turn.now),
       turn);
}

void Framework::Impl::decline(std::vector<OfferId> declined, const Driver::DeclineCall& call, Turn turn) {
  for (const auto offer : declined) offers.answer(offer);
  if (phase != Phase::open) return;
  send(Decline{std::move(declined), call.reason, call.refuse_for, demand.to_send()}, turn);
}

void Framework::Impl::on_call(const Driver::DemandCall& call, Turn turn) {
  demand.set(call.kind, call.units, turn.now);
}

void Framework::Impl::on_call(Revive& call, Turn turn) {
  demand.revive(call.kinds);
  if (phase != Phase::open) return;  // a new session has no filters
  send(Revive{std::move(call.kinds), demand.to_send()}, turn);
}

void Framework::Impl::on_call(Suppress& call, Turn turn) {
  demand.suppress(call.kinds);
  if (phase == Phase::open) send(std::move(call), turn);
}

void Framework::Impl::on_call(Kill& call, Turn turn) {
  if (!tasks.current(call.task)) return;
  call.framework = id;
  kills.want(call, turn.now);
  if (phase == Phase::open) send(std::move(call), turn);
}

void Framework::Impl::on_call(TaskMessage& call, Turn turn) {
  if (phase != Phase::open || !tasks.current(call.task)) return;
  call.framework = id;
  send(std::move(call), turn);
}

void Framework::Impl::on_call(MoreInputs& call, Turn turn) {
  if (phase != Phase::open || !tasks.current(call.task)) return;
  call.framework = id;
  send(std::move(call), turn);
}

void Framework::Impl::on_call(Release& call, Turn turn) {
  call.framework = id;
  if (phase == Phase::open) {
    send(call, turn);
  } else if (!id.value.is_nil()) {
    late_releases.insert(call.job);
  }
}

void Framework::Impl::on_call(Driver::CatalogCall& call, Turn turn) {
  catalog.open(request_number(call.request), turn.now);
  to_catalog(std::move(call.request), turn);
}

void Framework::Impl::on_call(Driver::TellCatalogCall& call, Turn turn) {
  to_catalog(std::move(call.used), turn);
}

void Framework::Impl::on_call(Trace& call, Turn turn) { turn.actions.push_back(Emit{std::move(call)}); }

/// Noted when the status came. Of one that the session reports itself there is nothing to acknowledge.
void Framework::Impl::on_call(const Driver::HoldCall&, Turn) {}

/// Without a session the status comes again in the next one, and is acknowledged then.
void Framework::Impl::on_call(const Driver::AcknowledgeCall& call, Turn turn) {
  const auto later = held.extract(call.task);
  if (!later.empty() && phase == Phase::open) send(Acknowledge{id, call.task, later.mapped()}, turn);
}

void Framework::Impl::on_call(const Driver::StopCall&, Turn turn) { leave(turn); }

}  // namespace proffer
