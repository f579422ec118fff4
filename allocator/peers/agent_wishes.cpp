#include "allocator/peers/agent_wishes.hpp"

#include <string>
#include <utility>

#include "allocator/offers/offer_endings.hpp"
#include "allocator/peers/agent_loss.hpp"
#include "allocator/peers/agent_named.hpp"
#include "allocator/peers/liveness.hpp"
#include "allocator/pools/guarantees.hpp"
#include "allocator/state/ledger.hpp"
#include "allocator/state/records.hpp"
#include "allocator/tasks/status_handlers.hpp"
#include "allocator/tasks/task_handlers.hpp"

namespace proffer::allocator {
namespace {

using Done = Result<std::string>;  // a sentence that says what was done

bool is_reachable(const AgentRecord& agent) { return agent.reach <= Reach::suspect && agent.contact.session; }

std::string counted_tasks(std::size_t tasks) {
  return std::to_string(tasks) + (tasks == 1 ? " task" : " tasks");
}

// ---- drain and undrain ----

/// Kills what runs on the agent and nobody else has killed yet.
void kill_all(const Turn& turn, AgentRecord& agent) {
  const auto tasks = agent.tasks;
  for (const auto launch : tasks) {
    auto& task = turn.state.tasks[launch];
    if (task.ended() || task.kill) continue;
    task.drained = true;
    kill(turn, task, turn.state.config.kill_grace);
  }
}

/// Lets the time of the tasks begin, if they have one.
void wind_up(const Turn& turn, AgentRecord& agent) {
  auto& service = agent.service;
  service.kill_at.reset();
  if (!service.kill_after) return;
  service.kill_at = turn.now + *service.kill_after;
  turn.state.peer_timers.drains.push(*service.kill_at, agent.index);
}

Done drain(const Turn& turn, AgentRecord& agent, std::optional<Duration> kill_after) {
  auto& state = turn.state;
  const bool news = !agent.service.draining();
  // Before its offers come back: they would go out to others again.
  state.cluster.set_wish(agent, AgentWish::drain);
  agent.service.kill_after = kill_after;
  keep(turn, agent);
  if (news) turn.trace(AgentTrouble{agent.info.id, agent.service.why_not()});
  rescind_all_on(turn, agent);
  wind_up(turn, agent);
  look_at_guarantees_soon(turn);
  if (agent.drained()) return "agent " + agent.info.name + " is drained";
  return "agent " + agent.info.name + " is draining: " + counted_tasks(agent.living) + " left";
}

Done undrain(const Turn& turn, AgentRecord& agent) {
  auto& state = turn.state;
  const bool news = agent.service.draining();
  agent.service.kill_after.reset();
  agent.service.kill_at.reset();
  state.cluster.set_wish(agent, AgentWish::serve);
  keep(turn, agent);
  if (news) turn.trace(AgentTrouble{agent.info.id, agent.service.why_not()});
  if (agent.reach != Reach::unreachable) count(state, agent);
  for (const auto& slots : agent.slots) state.agenda.released.add(agent.index, slots.kind);
  look_at_guarantees_soon(turn);
  return "agent " + agent.info.name + " serves";
}

auto awaited_kills(const State& state) {
  return [&state](Time at, AgentIndex agent) {
    return state.cluster.has(agent) && state.cluster[agent].service.kill_at == at;
  };
}

// ---- gone ----

Error still_here(const AgentRecord& agent) {
  const auto runs = agent.living == 0 ? "" : " and runs " + counted_tasks(agent.living);
  const auto& name = agent.info.name;
  return {ErrorCode::invalid, "agent " + name + " is up" + runs +
                                  ": only one that is drained or out of reach " +
                                  "can be declared gone; see proffer agent drain " + name + " --wait"};
}

std::string void_id(const std::string& name) {
  return "agent '" + name +
         "' was declared gone by an operator, and its id is void; its tasks end, and it comes back as a new "
         "agent";
}

/// Ends the tasks of an agent that will not come back. Those of frameworks that are gone may vanish by it.
std::size_t end_tasks(const Turn& turn, AgentRecord& agent) {
  std::size_t ended = 0;
  const auto tasks = agent.tasks;
  for (const auto launch : tasks) {
    auto* task = turn.state.tasks.find(launch);
    if (task == nullptr || task->ended()) continue;
    write_state(turn, *task, TaskState::gone, TaskReason::agent_gone,
                "agent " + agent.info.name + " was declared gone by an operator");
    ++ended;
  }
  return ended;
}

Done declare_gone(const Turn& turn, AgentRecord& agent) {
  auto& state = turn.state;
  if (is_reachable(agent) && !agent.drained()) return still_here(agent);
  const auto info = agent.info;  // the record goes
  // Before anybody hears of it: a crash must not bring an agent back whose tasks are GONE.
  turn.act(KeepRecord{RetiredAgent{info.id, info.name}});
  turn.to_agent(agent, ErrorMessage{{ErrorCode::agent_gone, void_id(info.name)}, 0});
  if (agent.reach != Reach::unreachable) lose_reach(turn, agent);
  const auto ended = end_tasks(turn, agent);
  remove_agent(turn, agent, "declared gone by an operator");
  state.cluster.retire(info.id, info.name);
  relent(turn);
  return "agent " + info.name + " is gone, and so " + (ended == 1 ? "is " : "are ") + counted_tasks(ended);
}

// ---- CHANGE_AGENT ----

std::optional<Error> refuse_change(const State& state, const ChangeAgent& change) {
  if (change.verb != "drain" && change.verb != "undrain" && change.verb != "gone") {
    return Error{ErrorCode::invalid, "nothing is known of '" + change.verb +
                                         "': agents are drained (drain), serve again (undrain), or are gone "
                                         "(gone)"};
  }
  if (change.kill_after && (change.verb != "drain" || *change.kill_after < Duration::zero())) {
    return Error{ErrorCode::invalid,
                 "the time after which tasks are killed belongs to drain, and is not below 0"};
  }
  return state.disk_full;
}

Done apply(const Turn& turn, const ChangeAgent& change) {
  if (auto error = refuse_change(turn.state, change)) return std::move(*error);
  const auto agent = agent_named(turn.state.cluster, change.agent);
  // A question that was lost with its connection is asked again, and may have been carried out.
  if (!agent && agent.error().code == ErrorCode::agent_gone && change.verb == "gone") {
    return "agent " + change.agent + " is gone";
  }
  if (!agent) return agent.error();
  if (change.verb == "drain") return drain(turn, **agent, change.kill_after);
  if (change.verb == "undrain") return undrain(turn, **agent);
  return declare_gone(turn, **agent);
}

}  // namespace

void handle(const Turn& turn, const MessageReceived& in, const ChangeAgent& change) {
  auto done = apply(turn, change);
  if (done) return turn.answer(in.peer, AdminDone{change.request, {}, std::move(*done)});
  turn.trace(
      MessageRefused{std::string(type_name(in.envelope.message)), done.error().code, done.error().message});
  turn.answer(in.peer, AdminDone{change.request, done.error(), {}});
}

void resume_drain(const Turn& turn, AgentRecord& agent) {
  auto& service = agent.service;
  if (!service.draining()) return;
  if (service.kill_after && !service.kill_at) wind_up(turn, agent);
  if (service.kill_at && *service.kill_at <= turn.now) kill_all(turn, agent);
}

void discount_drained(const Turn& turn) {
  auto& state = turn.state;
  for (const auto index : state.cluster.draining()) {
    auto& agent = state.cluster[index];
    if (!agent.drained() || !agent.counted) continue;
    discount(state, agent);
    look_at_guarantees_soon(turn);
  }
}

bool kill_drained(const Turn& turn) {
  auto& state = turn.state;
  const auto due = state.peer_timers.drains.pop_due(turn.now, awaited_kills(state));
  if (!due) return false;
  kill_all(turn, state.cluster[*due]);
  return true;
}

void settle_drains(State& state) { state.peer_timers.drains.settle(awaited_kills(state)); }

}  // namespace proffer::allocator
