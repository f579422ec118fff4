#include "catalog/agents/agent_handlers.hpp"

#include "catalog/agents/report_rules.hpp"
#include "catalog/demand/replicator.hpp"
#include "catalog/demand/use_handlers.hpp"
#include "catalog/state/deletions.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

// Pages follow each other at once; one that has not come by then is lost.
constexpr Duration kReportPatience = std::chrono::seconds(5);

Error unknown_session() { return {ErrorCode::unknown_session, "no such session here; report again"}; }

void close_agent(CatalogState& state, AgentId agent, const char* why, Outbox& out) {
  note_all_of(state, agent);
  state.agents.close(agent);
  state.agent_secrets.left(agent);
  state.replicas.forget(agent);
  state.lacking.disturbed();
  out.trace(AgentLost{agent, why});
  forget_copies_to(state, agent, "the agent is gone", out);
}

/// The session that the first page of a report without one opens. A peer that asks twice, since our answer
/// was slow, gets the same one. Who has lost its session has also dropped the copies that it was to make.
AgentRecord& open_session(CatalogState& state, PeerId peer, const BlockReport& page, Outbox& out, Time now) {
  auto* agent = state.agents.find_peer(peer);
  if (agent && agent->info.id != page.agent) {
    close_agent(state, agent->info.id, "its connection reports for another agent", out);
    agent = nullptr;
  }
  if (auto* old = state.agents.find(page.agent); old && old != agent) {
    out.close(old->peer);
    close_agent(state, page.agent, "it has connected again", out);
  }
  AgentInfo info{page.agent, page.name, page.rack, page.data_endpoint};
  if (!agent) {
    agent = &state.agents.open(std::move(info), peer, state.random.session(), now);
    state.agent_secrets.came(page.agent, page.secret, state.secrets);
  } else {
    agent->info = std::move(info);
    forget_copies_to(state, page.agent, "the agent reports anew", out);
  }
  out.to_agent(*agent, CatalogWelcome{state.config.token, state.config.heartbeat,
                                      *state.agent_secrets.find(page.agent)});
  return *agent;
}

/// The agent that a page is from: opened by a first page without a session. Further pages may still lack the
/// session, since the agent need not wait for our welcome.
AgentRecord* reporter(CatalogState& state, const MessageReceived& in, const BlockReport& page, Outbox& out,
                      Time now) {
  const auto session = in.envelope.session;
  if (opens_session(in.envelope, page)) return &open_session(state, in.peer, page, out, now);
  auto* agent = session.value == 0 ? state.agents.find_peer(in.peer) : state.agents.match(in.peer, session);
  return agent && agent->info.id == page.agent ? agent : nullptr;
}

/// Replicas that nobody had ordered may be too many.
void judge_extra(CatalogState& state, Outbox& out, Time now) {
  Replicator replicator(state, out, now);
  replicator.keep_the_cap();
  replicator.finish();
}

void apply(CatalogState& state, AgentRecord& agent, const BlocksChanged& changed, Deletions& deletions,
           Outbox& out, Time now) {
  agent.changes = changed.number;
  for (const auto block : changed.removed) {
    state.replicas.remove(agent.info.id, block);
    state.watchers.note(block);
    out.trace(ReplicaChanged{block, agent.info.id, false});
  }
  bool any_extra = false;
  for (const auto& [block, length] : changed.added) {
    const bool awaited = state.replicas.planned_for(block).contains(agent.info.id);
    state.replicas.add(agent.info.id, block, length);
    deletions.judge(agent.info.id, block, length);
    if (!awaited) state.watchers.note(block);
    out.trace(ReplicaChanged{block, agent.info.id, true});
    any_extra |= !copy_arrived(state, agent.info.id, block, out) && !awaited;
  }
  if (any_extra || !changed.removed.empty()) state.lacking.disturbed();
  if (any_extra && state.config.replication.on()) judge_extra(state, out, now);
}

void take_change(CatalogState& state, AgentRecord& agent, const BlocksChanged& changed, Deletions& deletions,
                 Outbox& out, Time now) {
  if (changed.number <= agent.changes || agent.ask_again) return;
  if (changed.number != agent.changes + 1) return ask_for_report(agent, out, now);
  apply(state, agent, changed, deletions, out, now);
}

void finish_report(CatalogState& state, AgentRecord& agent, Outbox& out, Time now) {
  auto report = std::move(*agent.report);
  agent.report.reset();
  agent.ask_again.reset();
  agent.changes = 0;
  note_all_of(state, agent.info.id);
  state.replicas.replace(agent.info.id, report.take_blocks());
  note_all_of(state, agent.info.id);
  if (!agent.reported) out.trace(AgentRegistered{agent.info.id, agent.info.name, agent.info.rack, {}});
  agent.reported = true;
  agent.reported_at = now;
  state.lacking.disturbed();
  Deletions deletions(state);
  for (const auto& [block, length] : state.replicas.held_by(agent.info.id)) {
    copy_arrived(state, agent.info.id, block, out);
    deletions.judge(agent.info.id, block, length);
  }
  for (const auto& changed : report.take_changes()) {
    take_change(state, agent, changed, deletions, out, now);
  }
  deletions.tell(out, now);
}

void hear(CatalogState& state, AgentRecord& agent, Outbox& out, Time now) {
  if (agent.silent) {
    note_all_of(state, agent.info.id);
    out.trace(AgentRegistered{agent.info.id, agent.info.name, agent.info.rack, {}});
  }
  state.agents.heard(agent, now);
}

}  // namespace

void ask_for_report(AgentRecord& agent, Outbox& out, Time now) {
  agent.report.reset();
  agent.ask_again = now + kReportPatience;
  out.to_agent(agent, SendBlockReport{});
}

void handle(CatalogState& state, const MessageReceived& in, const BlockReport& page, Outbox& out, Time now) {
  if (auto allowed = may_report(state, in, page); !allowed) return out.refuse(in, allowed.error());
  auto* agent = reporter(state, in, page, out, now);
  if (!agent) return out.refuse(in, unknown_session());
  hear(state, *agent, out, now);
  if (page.page == 0) agent->report.emplace();
  if (!agent->report) return;  // a page of a report that was given up
  agent->ask_again = now + kReportPatience;
  switch (agent->report->take(page)) {
    case ReportAssembly::Taken::more:
      return;
    case ReportAssembly::Taken::gap:
      return ask_for_report(*agent, out, now);
    case ReportAssembly::Taken::too_many:
      agent->report.reset();
      return out.refuse(in, {ErrorCode::slow_down, "an agent reports more blocks than it may hold"});
    case ReportAssembly::Taken::last:
      return finish_report(state, *agent, out, now);
  }
}

void handle(CatalogState& state, const MessageReceived& in, const BlocksChanged& changed, Outbox& out,
            Time now) {
  auto* agent = state.agents.match(in.peer, in.envelope.session);
  if (!agent) return out.refuse(in, unknown_session());
  hear(state, *agent, out, now);
  if (agent->report) {
    if (!agent->report->keep(changed)) ask_for_report(*agent, out, now);
    return;
  }
  if (state.replicas.held_by(agent->info.id).size() + changed.added.size() > limits::kReplicasPerAgent) {
    return out.refuse(in, {ErrorCode::slow_down, "an agent reports more blocks than it may hold"});
  }
  Deletions deletions(state);
  take_change(state, *agent, changed, deletions, out, now);
  deletions.tell(out, now);
}

void handle(CatalogState& state, const MessageReceived& in, const Heartbeat&, Outbox& out, Time now) {
  auto* agent = state.agents.match(in.peer, in.envelope.session);
  if (!agent) return out.refuse(in, unknown_session());
  hear(state, *agent, out, now);
}

void handle(CatalogState& state, const PeerLost& lost, Outbox& out) {
  state.watchers.forget(lost.peer);
  state.clients.close(lost.peer);
  if (const auto* agent = state.agents.find_peer(lost.peer)) {
    close_agent(state, agent->info.id, "its connection is gone", out);
  }
}

}  // namespace proffer
