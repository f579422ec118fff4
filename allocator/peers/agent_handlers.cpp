#include "allocator/peers/agent_handlers.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "allocator/offers/offer_endings.hpp"
#include "allocator/offers/offer_handlers.hpp"
#include "allocator/offers/slot_reports.hpp"
#include "allocator/peers/agent_health.hpp"
#include "allocator/peers/agent_loss.hpp"
#include "allocator/peers/agent_wishes.hpp"
#include "allocator/peers/liveness.hpp"
#include "allocator/peers/recovery.hpp"
#include "allocator/peers/register_rules.hpp"
#include "allocator/pools/guarantees.hpp"
#include "allocator/state/ledger.hpp"
#include "allocator/state/records.hpp"
#include "allocator/tasks/adoption.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {
namespace {

/// Returns the kinds that a REGISTER brings: those of its slots, and of the tasks that are adopted with it,
/// or were.
Resources kinds_of(const State& state, const AgentRecord* agent, const Register& message) {
  auto kinds = message.slots;
  for (const auto& task : message.tasks) {
    const bool taken = is_adopted(state, task) || (agent != nullptr && agent->tasks.contains(task.launch));
    if (!taken) continue;
    for (const auto& [kind, units] : task.resources) kinds.set(kind, std::max(units, kinds[kind]));
  }
  return kinds;
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
  for (const auto& [launch, stray] : agent.strays) state.cluster.claim(agent, stray.resources);
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
                                  agent.past.secret, turn.state.identity.incarnation, config.report_period});
}

/// Admits an agent that has registered, new or not. The order of the parts matters, see there. `before`: what
/// was kept of it so far.
void admit(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const Register& message,
           const std::optional<KeptAgent>& before) {
  auto& state = turn.state;
  const auto listed = list(message);
  agent.past.run = message.run;
  turn.trace(AgentRegistered{agent.info.id, agent.info.name, agent.info.rack, message.slots});
  // Offers of the former session end first: slots cannot change under an offer.
  rescind_all_on(turn, agent);
  note_trouble(turn, agent, message.trouble);
  adopt(turn, agent, listed, before && before->unreachable);
  // The strays are known before the answer, which tells the agent to kill them.
  sort_out_strays(state, agent, listed);
  view_anew(state, agent);  // before the first task of the list is found to have arrived, or to be missing
  // REGISTERED goes before anything that belongs to its session, such as the KILLs of reconcile(): the agent
  // drops messages of a session that it does not know yet.
  open_session(turn, agent, in.peer);
  note_back(turn, agent);
  // An agent that knows its id has to find it known after a restart.
  if (before != record_of(agent)) keep(turn, agent);
  send_registered(turn, agent);
  reconcile(turn, agent, listed);
  learn_kinds(turn, in.peer, kinds_of(state, &agent, message));
  // Tasks were written off by now, which must not take slots.
  open_books(turn, agent, message.slots);
  resume_drain(turn, agent);
  await_report(state, agent);
  look_at_guarantees_soon(turn);
}

/// Returns whether an agent that is silent is known to have no tasks.
bool has_nothing(const AgentRecord& agent) { return agent.past.back && agent.living == 0; }

/// Lets a new agent have the name of one that is silent. That proves nothing about the tasks of the latter,
/// which may come back under its id: it is forgotten only if it has none.
void take_name_of(const Turn& turn, AgentRecord& former) {
  if (has_nothing(former)) return remove_agent(turn, former, "another agent has its name now");
  if (former.contact.session) lose_peer(turn, former.contact.session->peer());
}

AgentRecord& enter(const Turn& turn, PeerId peer, const Registrant& who, const Register& message) {
  auto& state = turn.state;
  if (who.replaced != nullptr) take_name_of(turn, *who.replaced);
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
  agent.past.secret = message.secret.value.is_nil() ? state.identity.secrets.secret() : message.secret;
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
  const bool leaves_room = who.replaced != nullptr && has_nothing(*who.replaced);
  const bool fits = state.cluster.size() < limits::kAgents || leaves_room;
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
  const auto who = identify(state.cluster, message, in.peer);
  if (!who) return turn.refuse(in, who.error());
  const auto kinds = kinds_of(state, who->known, message);
  if (auto error = refuse_kinds(state, in.peer, kinds)) return turn.refuse(in, std::move(*error));
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
  const auto before = who->known == nullptr ? std::nullopt : std::optional(record_of(*who->known));
  admit(turn, enter(turn, in.peer, *who, message), in, message, before);
}

}  // namespace proffer::allocator
