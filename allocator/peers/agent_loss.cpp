#include "allocator/peers/agent_loss.hpp"

#include "allocator/offers/offer_endings.hpp"
#include "allocator/peers/framework_removal.hpp"
#include "allocator/peers/recovery.hpp"
#include "allocator/pools/guarantees.hpp"
#include "allocator/state/ledger.hpp"
#include "allocator/state/records.hpp"
#include "allocator/tasks/status_handlers.hpp"
#include "allocator/tasks/task_handlers.hpp"

namespace proffer::allocator {
namespace {

void close_session(const Turn& turn, AgentRecord& agent) {
  if (!agent.contact.session) return;
  turn.state.peers.release(agent.contact.session->peer());
  agent.contact.session.reset();
  turn.state.cluster.relist(agent);
}

/// Writes a state for each task on the agent that may go into it. Tasks of removed frameworks may vanish by
/// it.
void write_all(const Turn& turn, AgentRecord& agent, TaskState state, const std::string& why) {
  const auto tasks = agent.tasks;  // a copy: a task that is forgotten leaves the set
  for (const auto launch : tasks) {
    auto* task = turn.state.tasks.find(launch);
    if (task == nullptr || !can_become(task->state, state)) continue;
    write_state(turn, *task, state, TaskReason::agent_lost, why);
  }
}

/// Forgets tasks of frameworks that were given up: they are not waited for.
void strand_orphans(const Turn& turn, AgentRecord& agent) {
  auto& state = turn.state;
  const auto tasks = agent.tasks;
  for (const auto launch : tasks) {
    auto& task = state.tasks[launch];
    auto& framework = state.frameworks[task.framework];
    if (!framework.failover.removed) continue;
    strand_task(state, task);
    remove_if_over(turn, framework);
  }
}

/// What frameworks have not acknowledged was repeated by the agent so far.
void repeat_for(const Turn& turn, const AgentRecord& agent) {
  for (const auto launch : agent.tasks) {
    turn.state.tasks.repeat_for_agent(turn.state.tasks[launch], turn.now);
  }
}

/// Parts the tasks from the agent. Ends that their frameworks have not acknowledged outlive it.
void let_go_of_tasks(const Turn& turn, AgentRecord& agent) {
  for (const auto launch : agent.tasks) turn.state.tasks[launch].agent.reset();
  agent.tasks.clear();
  agent.tasks_of.clear();
}

}  // namespace

void suspect(const Turn& turn, AgentRecord& agent) { turn.state.cluster.set_reach(agent, Reach::suspect); }

void disconnect(const Turn& turn, AgentRecord& agent) {
  turn.state.cluster.set_reach(agent, Reach::disconnected);
  rescind_all_on(turn, agent);
  repeat_for(turn, agent);
}

void lose_reach(const Turn& turn, AgentRecord& agent) {
  close_session(turn, agent);
  turn.state.cluster.set_reach(agent, Reach::unreachable);
  keep(turn, agent);  // before frameworks hear of it: after a restart they are not told to wait for it
  turn.trace(AgentLost{agent.info.id, "silent"});
  write_all(turn, agent, TaskState::unreachable, "its agent is silent");
  discount(turn.state, agent);  // before tasks are stranded, whose slots must not count any more
  turn.state.starvation.claims.forget_agent(agent.index);
  strand_orphans(turn, agent);
  look_at_guarantees_soon(turn);
}

void find_again(const Turn& turn, AgentRecord& agent) {
  turn.state.cluster.set_reach(agent, Reach::live);
  for (const auto& slots : agent.slots) turn.state.agenda.released.add(agent.index, slots.kind);
}

void remove_agent(const Turn& turn, AgentRecord& agent, const std::string& why) {
  auto& state = turn.state;
  close_session(turn, agent);
  turn.trace(AgentLost{agent.info.id, why});
  rescind_all_on(turn, agent);
  write_all(turn, agent, TaskState::lost, "its agent was started again without it");
  repeat_for(turn, agent);
  discount(state, agent);
  let_go_of_tasks(turn, agent);
  // The index is the next agent's, which must not inherit what was refused or held here.
  state.filters.forget_agent(agent.index, state.stamps.next());
  state.starvation.claims.forget_agent(agent.index);
  state.private_agents.release(agent.index);
  note_forgotten(state, agent);
  drop(turn, agent);
  state.cluster.remove(agent);
  look_at_guarantees_soon(turn);
}

/// Peers that leave at the end of this process were told so: that is no loss.
void handle(const Turn& turn, const PeerLost& lost) {
  if (!turn.state.agenda.over) lose_peer(turn, lost.peer);
}

void lose_peer(const Turn& turn, PeerId peer) {
  auto& state = turn.state;
  state.peers.forget(peer);
  const auto speaker = state.peers.find(peer);
  if (const auto* index = std::get_if<AgentIndex>(&speaker)) {
    auto& agent = state.cluster[*index];
    close_session(turn, agent);
    if (agent.reach < Reach::disconnected) disconnect(turn, agent);
  } else if (const auto* framework = std::get_if<FrameworkIndex>(&speaker)) {
    end_session(turn, state.frameworks[*framework], "its connection is lost");
  }
}

}  // namespace proffer::allocator
