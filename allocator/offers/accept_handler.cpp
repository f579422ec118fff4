// ACCEPT: check against the live offers, carry out, answer.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "allocator/offers/accept_rules.hpp"
#include "allocator/offers/offer_endings.hpp"
#include "allocator/offers/offer_handlers.hpp"
#include "allocator/state/ledger.hpp"
#include "proffer/bulk.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {
namespace {

/// The live offers that an accept names, each once.
std::vector<OfferId> live_offers(const State& state, const FrameworkRecord& framework, const Accept& accept) {
  std::vector<OfferId> live;
  std::set<OfferId> seen;
  for (const auto id : accept.offers) {
    const auto* offer = state.offers.find(id);
    if (offer == nullptr || offer->framework != framework.index) continue;
    if (seen.insert(id).second) live.push_back(id);
  }
  return live;
}

/// Returns how many more tasks of a framework an agent takes. The bound on its living tasks also holds for
/// the framework's tasks there whose end it has not acknowledged: the agent has to keep those, and other
/// frameworks should not suffer for it.
std::size_t room_on(const AgentRecord& agent, FrameworkIndex framework) {
  const auto known = agent.tasks_of.find(framework);
  const auto its_own = known == agent.tasks_of.end() ? 0 : known->second;
  return limits::kTasksPerAgent - std::min(std::max(agent.living, its_own), limits::kTasksPerAgent);
}

AcceptGround ground_of(const State& state, const FrameworkRecord& framework, const Accept& accept,
                       const std::vector<OfferId>& live) {
  AcceptGround ground;
  const std::set<OfferId> named(accept.offers.begin(), accept.offers.end());
  ground.any_dead = live.empty() || named.size() > live.size();
  for (const auto id : live) {
    const auto& offer = *state.offers.find(id);
    ground.available += offer.resources();
    ground.one_agent &= offer.agent == state.offers.find(live.front())->agent;
    ground.room = room_on(state.cluster[offer.agent], framework.index);
  }
  ground.known = [&framework](const TaskId& task) {
    return framework.tasks.contains(task.value) || framework.ended.contains(task);
  };
  return ground;
}

void launch(const Turn& turn, FrameworkRecord& framework, AgentRecord& agent, const TaskSpec& spec) {
  auto& task = turn.state.tasks.launch(framework.index, agent.index, spec, turn.now);
  enlist_task(turn.state, task);
  turn.trace(TaskLaunched{framework.id, task.id, task.launch, agent.info.id, task.resources});
  turn.to_agent(agent, Launch{task.launch, framework.id, framework.name, spec});
}

/// Takes from the offers, in their order, what the tasks use; what is left of each is declined. `bulk_tasks`:
/// those that take bulk resources; all of them are told of with the first offer of these.
void settle_offers(const Turn& turn, FrameworkRecord& framework, const Accept& accept,
                   const std::vector<OfferId>& live, Resources used, std::int64_t bulk_tasks) {
  auto& state = turn.state;
  for (const auto id : live) {
    auto offer = state.offers.consume(id);
    const auto taken = std::min(used[offer.kind], offer.units());
    used.add(offer.kind, -taken);
    split_off(offer.lots, taken);  // use() has moved these units from offered to used
    const auto riding = offer.riding;
    for (const auto& [kind, units] : riding) {
      const auto ridden = std::min(used[kind], units);
      used.add(kind, -ridden);
      offer.riding.add(kind, -ridden);
    }
    if (taken > 0) {
      const auto tasks = is_bulk(offer.kind) ? std::exchange(bulk_tasks, 0) : taken;
      turn.trace(OfferAccepted{id, framework.id, static_cast<std::uint32_t>(tasks), turn.now - offer.made});
    }
    if (offer.lots.empty()) {
      give_back(state, std::move(offer));  // of nothing: it leaves the books of agent and framework
    } else {
      decline(turn, std::move(offer), accept.rest_reason, accept.rest_refuse_for, taken > 0);
    }
  }
}

/// Returns the slots that the tasks which may run use together.
Resources used_by(const Accept& accept, const Accepted& answer) {
  Resources used;
  for (std::size_t i = 0; i < accept.tasks.size(); ++i) {
    if (answer.verdicts[i].ok) used += accept.tasks[i].resources;
  }
  return used;
}

std::optional<Error> refuse_accept(const FrameworkRecord& framework, const Accept& accept) {
  if (framework.accepts.too_old(accept.accept)) {
    return Error{ErrorCode::refused, "that accept is too old to be answered again"};
  }
  if (accept.tasks.size() > limits::kTasksPerAccept) {
    return Error{ErrorCode::invalid,
                 "an accept has " + std::to_string(limits::kTasksPerAccept) + " tasks at most"};
  }
  return refuse_demand(framework.demand, accept.demand);
}

/// Traces the tasks that are refused. A duplicate is not: a line of its id would be one of the task that
/// runs.
void trace_refusals(const Turn& turn, const FrameworkRecord& framework, const Accepted& answer) {
  for (const auto& verdict : answer.verdicts) {
    if (verdict.ok || verdict.reason == TaskReason::duplicate_id) continue;
    turn.trace(TaskChanged{framework.id, verdict.task, {}, verdict.state, verdict.reason});
  }
}

void carry_out(const Turn& turn, FrameworkRecord& framework, AgentRecord& agent, const Accept& accept,
               const std::vector<OfferId>& live, const Accepted& answer) {
  const auto used = used_by(accept, answer);
  use(turn.state, framework, agent, used);
  // The rest is declined afterwards: agent_changed() lifts all older filters "until something changes", and
  // that on the rest is to last.
  if (!used.empty()) agent_changed(turn.state, agent);
  std::int64_t bulk_tasks = 0;
  for (std::size_t i = 0; i < accept.tasks.size(); ++i) {
    bulk_tasks += answer.verdicts[i].ok && accept.tasks[i].resources[kCpus] > 0 ? 1 : 0;
  }
  settle_offers(turn, framework, accept, live, used, bulk_tasks);
  for (std::size_t i = 0; i < accept.tasks.size(); ++i) {
    if (answer.verdicts[i].ok) launch(turn, framework, agent, accept.tasks[i]);
  }
}

}  // namespace

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Accept& accept) {
  auto& state = turn.state;
  if (const auto* answer = framework.accepts.find(accept.accept))
    return turn.to_framework(framework, *answer);
  if (auto error = refuse_accept(framework, accept)) return turn.refuse(in, std::move(*error));
  // The demand first: slots that come back below are offered by what the framework wants now. With its former
  // demand it would be hungry for the slots that it has just filled.
  declare(turn, framework, accept.demand);
  spoke(turn, framework);
  const auto live = live_offers(state, framework, accept);
  Accepted answer{accept.accept, judge_accept(accept.tasks, ground_of(state, framework, accept, live))};
  // The answer goes before any UPDATE of its tasks, and is remembered for an ACCEPT that comes again.
  framework.accepts.remember(answer);
  turn.to_framework(framework, answer);
  trace_refusals(turn, framework, answer);
  if (live.empty()) return;
  auto& agent = state.cluster[state.offers.find(live.front())->agent];
  carry_out(turn, framework, agent, accept, live, answer);
}

}  // namespace proffer::allocator
