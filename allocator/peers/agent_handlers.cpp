#include "allocator/peers/agent_handlers.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "allocator/offers/offer_endings.hpp"
#include "allocator/offers/offer_handlers.hpp"
#include "allocator/offers/report_turns.hpp"
#include "allocator/peers/agent_health.hpp"
#include "allocator/peers/agent_loss.hpp"
#include "allocator/peers/agent_wishes.hpp"
#include "allocator/peers/liveness.hpp"
#include "allocator/peers/register_rules.hpp"
#include "allocator/pools/guarantees.hpp"
#include "allocator/state/ledger.hpp"
#include "allocator/tasks/status_handlers.hpp"
#include "allocator/tasks/task_handlers.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {
namespace {

using Listed = std::map<LaunchId, const AgentTask*>;

Listed list(const Register& message) {
  Listed listed;
  for (const auto& task : message.tasks) listed[task.launch] = &task;
  return listed;
}

/// Adds kinds that the cluster has not had so far: frameworks that never spoke of them want any number.
void learn_kinds(const Turn& turn, PeerId peer, const Resources& slots) {
  auto& state = turn.state;
  bool any_new = false;
  for (const auto& [kind, units] : slots) {
    if (state.shares.knows(kind)) continue;
    state.shares.add_kind(kind, peer);
    any_new = true;
  }
  if (!any_new) return;
  for (const auto& [id, index] : state.frameworks.in_order()) sync_demand(turn, state.frameworks[index]);
}

/// Writes off a task that the agent does not list. If the agent never said that it has the launch, it never
/// will: it does not take launches of an older session.
void miss(const Turn& turn, TaskRecord& task) {
  const bool never_there = task.spec.has_value();
  write_state(turn, task, never_there ? TaskState::dropped : TaskState::lost, TaskReason::agent_lost,
              never_there ? "the agent never got it" : "the agent does not know it any more");
}

/// Takes up a task that the agent lists as living.
void find_again(const Turn& turn, TaskRecord& task, TaskState listed) {
  turn.state.tasks.arrived(task);
  if (task.state == TaskState::unreachable) {
    write_state(turn, task, listed, TaskReason::none, "its agent is back");
  }
  if (task.kill) kill(turn, task, *task.kill);
}

/// Finds the tasks that the agent runs and nobody wants: they are killed, and take their slots until they
/// have ended.
void sort_out_strays(const State& state, AgentRecord& agent, const Listed& listed) {
  agent.to_kill.clear();
  agent.strays.clear();
  for (const auto& [launch, task] : listed) {
    if (is_terminal(task->state)) continue;
    const auto* known = state.tasks.find(launch);
    if (known != nullptr && known->agent == agent.index && !known->ended()) continue;
    agent.to_kill.push_back(launch);
    agent.strays[launch] = task->resources;
  }
}

/// Compares the tasks that the agent lists with those in the records.
void reconcile(const Turn& turn, AgentRecord& agent, const Listed& listed) {
  const auto believed = agent.tasks;
  for (const auto launch : believed) {
    auto* task = turn.state.tasks.find(launch);
    if (task == nullptr || task->ended()) continue;
    const auto found = listed.find(launch);
    if (found == listed.end()) {
      miss(turn, *task);
    } else if (!is_terminal(found->second->state)) {
      find_again(turn, *task, found->second->state);
    }  // else its end is on the way
  }
}

/// Counts the slots of an agent anew, after its offers were taken back and its tasks reconciled. All free
/// slots are fresh.
void open_books(const Turn& turn, AgentRecord& agent, const Resources& slots) {
  auto& state = turn.state;
  discount(state, agent);  // first: shares and capacity lose what they gained by the former slots and tasks
  state.cluster.unclaim_all(agent);
  for (const auto launch : agent.tasks) {
    const auto& task = state.tasks[launch];
    if (!task.ended()) state.cluster.claim(agent, task.resources);
  }
  for (const auto& [launch, resources] : agent.strays) state.cluster.claim(agent, resources);
  state.cluster.set_admits(agent,
                           state.private_agents.admits(agent.index, state.eligibility.admits(agent.info)));
  state.cluster.set_slots(agent, slots, state.stamps.next());
  count(state, agent);
  agent_changed(state, agent);
}

void open_session(const Turn& turn, AgentRecord& agent, PeerId peer) {
  auto& state = turn.state;
  if (agent.contact.session) state.peers.release(agent.contact.session->peer());
  agent.contact.open(peer, state.identity.random.session(), turn.now);
  state.peers.bind(peer, agent.index);
  state.cluster.set_reach(agent, Reach::live);
  watch(turn, agent);
}

void send_registered(const Turn& turn, AgentRecord& agent) {
  const auto& config = turn.state.config;
  turn.to_agent(agent, Registered{agent.info.id, config.heartbeat, config.catalog_endpoint, agent.to_kill,
                                  agent.secret});
}

/// Admits an agent that has registered, new or not. The order of the parts matters, see there.
void admit(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const Register& message) {
  auto& state = turn.state;
  const auto listed = list(message);
  agent.run = message.run;
  turn.trace(AgentRegistered{agent.info.id, agent.info.name, agent.info.rack, message.slots});
  // Offers of the former session end first: slots cannot change under an offer.
  rescind_all_on(turn, agent);
  note_trouble(turn, agent, message.trouble);
  // The strays are known before the answer, which tells the agent to kill them.
  sort_out_strays(state, agent, listed);
  // REGISTERED goes before anything that belongs to its session, such as the KILLs of reconcile(): the agent
  // drops messages of a session that it does not know yet.
  open_session(turn, agent, in.peer);
  send_registered(turn, agent);
  reconcile(turn, agent, listed);
  learn_kinds(turn, in.peer, message.slots);
  // Tasks were written off by now, which must not take slots.
  open_books(turn, agent, message.slots);
  resume_drain(turn, agent);
  start_reports(turn, agent);
  look_at_guarantees_soon(turn);
}

AgentRecord& record_of(const Turn& turn, PeerId peer, const Registrant& who, const Register& message) {
  auto& state = turn.state;
  if (who.replaced != nullptr) remove_agent(turn, *who.replaced, "another agent has its name now");
  AgentInfo info{message.agent, message.name, message.rack, message.data_endpoint};
  if (who.known != nullptr) {
    info.id = who.known->info.id;
    state.cluster.rename(*who.known, std::move(info));
    return *who.known;
  }
  if (info.id.value.is_nil()) info.id = {state.identity.random.bits128()};
  if (state.cluster.size() >= limits::kAgents) {
    remove_agent(turn, *state.cluster.next_to_forget(), "its place is needed");
  }
  auto& agent = state.cluster.add(std::move(info), peer);
  // One that comes back to an allocator which was started again brings its secret along.
  agent.secret = message.secret.value.is_nil() ? state.identity.secrets.secret() : message.secret;
  return agent;
}

std::optional<Error> refuse_kinds(const State& state, PeerId peer, const Resources& slots) {
  std::size_t added = 0;
  for (const auto& [kind, units] : slots) added += state.shares.knows(kind) ? 0 : 1;
  if (state.shares.kinds().size() + added > limits::kKinds) {
    return Error{ErrorCode::slow_down, "a cluster has " + std::to_string(limits::kKinds) + " kinds at most"};
  }
  if (added == 0 || state.shares.kinds_brought_by(peer) + added <= limits::kKindsPerPeer) return {};
  return Error{ErrorCode::slow_down,
               "a connection brings " + std::to_string(limits::kKindsPerPeer) + " kinds of slots at most"};
}

/// Refuses a new agent when its connection has brought too many, or the cluster is full.
std::optional<Error> refuse_another(State& state, PeerId peer, const Registrant& who) {
  if (state.cluster.brought_by(peer) >= limits::kAgentsPerPeer) {
    return Error{ErrorCode::slow_down, "this connection has brought as many agents as it may: " +
                                           std::to_string(limits::kAgentsPerPeer) + " that are still known"};
  }
  const bool fits = state.cluster.size() < limits::kAgents || who.replaced != nullptr;
  if (fits || state.cluster.next_to_forget() != nullptr) return {};
  return Error{ErrorCode::slow_down, "the cluster has as many agents as it may have"};
}

/// Returns whether this REGISTER has come before, and its answer is on its way, or lost.
bool is_repeat(const AgentRecord* agent, const MessageReceived& in) {
  return agent != nullptr && agent->contact.session && agent->contact.session->may_repeat_hello(in.peer);
}

}  // namespace

void handle(const Turn& turn, const MessageReceived& in, const Register& message) {
  auto& state = turn.state;
  if (auto error = refuse_register(message)) return turn.refuse(in, std::move(*error));
  if (auto error = refuse_gone(state, message)) return turn.refuse(in, std::move(*error));
  if (auto error = refuse_kinds(state, in.peer, message.slots)) return turn.refuse(in, std::move(*error));
  const auto who = identify(state.cluster, message, in.peer);
  if (!who) return turn.refuse(in, who.error());
  if (is_repeat(who->known, in)) {
    note_trouble(turn, *who->known, message.trouble);
    return send_registered(turn, *who->known);
  }
  if (who->known == nullptr) {
    if (auto error = refuse_another(state, in.peer, *who)) return turn.refuse(in, std::move(*error));
  }
  if (who->known == nullptr || !who->known->contact.speaks_through(in.peer)) {
    // The former speaker goes before the new session binds the connection; afterwards this would end the new
    // one.
    lose_peer(turn, in.peer);
  }
  admit(turn, record_of(turn, in.peer, *who, message), in, message);
}

}  // namespace proffer::allocator
