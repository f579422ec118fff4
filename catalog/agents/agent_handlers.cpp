#include "catalog/agents/agent_handlers.hpp"

#include <utility>

#include "catalog/agents/report_rules.hpp"
#include "catalog/demand/copy_handlers.hpp"
#include "catalog/demand/replicator.hpp"
#include "catalog/demand/watching.hpp"
#include "catalog/state/deletions.hpp"
#include "proffer/limits.hpp"

namespace proffer::catalog {
namespace {

// Pages follow each other at once; one that has not come by then is lost.
constexpr Duration kReportPatience = std::chrono::seconds(5);

void close_agent(const Turn& turn, AgentId agent, const char* why) {
  auto& state = turn.state;
  // Before the table forgets its replicas: then there would be nothing to tell watchers about.
  note_replicas_of(turn, agent);
  state.agents.close(agent);
  state.agent_secrets.session_closed(agent);
  state.replicas.forget(agent);
  state.lacking.request_scan();
  turn.trace(AgentLost{agent, why});
  forget_copies_to(turn, agent, "the agent is gone");
}

/// Opens the session of a report whose first page has none. A peer that asks twice, since the answer was
/// slow, gets the same one. An agent that has lost its session has also dropped the copies that it was to
/// make.
AgentRecord& open_session(const Turn& turn, PeerId peer, const BlockReport& page) {
  auto& state = turn.state;
  auto* agent = state.agents.find_peer(peer);
  if (agent && agent->info.id != page.agent) {
    close_agent(turn, agent->info.id, "its connection reports for another agent");
    agent = nullptr;
  }
  if (auto* old = state.agents.find(page.agent); old && old != agent) {
    turn.close(old->session.peer());
    close_agent(turn, page.agent, "it has connected again");
  }
  AgentInfo info{page.agent, page.name, page.rack, page.data_endpoint};
  if (!agent) {
    agent = &state.agents.open(std::move(info), peer, state.random.session(), turn.now);
    state.agent_secrets.session_opened(page.agent, page.secret, state.secrets);
  } else {
    agent->info = std::move(info);
    forget_copies_to(turn, page.agent, "the agent reports anew");
  }
  turn.to_agent(*agent, CatalogWelcome{state.config.token, state.config.heartbeat,
                                       *state.agent_secrets.find(page.agent)});
  return *agent;
}

/// Returns the agent that a page is from, whose session a first page without one opens. Further pages may
/// still lack the session, since the agent need not wait for the welcome. None: the page is of no session.
AgentRecord* reporter(const Turn& turn, const MessageReceived& in, const BlockReport& page) {
  if (opens_session(in.envelope, page)) return &open_session(turn, in.peer, page);
  auto* agent = turn.state.agents.find_peer(in.peer);
  if (!agent || agent->info.id != page.agent) return nullptr;
  return agent->session.matches_early(in.peer, in.envelope.session) ? agent : nullptr;
}

/// Drops what is past the cap: replicas that nobody had ordered may be too many.
void drop_extra_replicas(const Turn& turn) {
  Replicator replicator(turn);
  replicator.keep_the_cap();
  replicator.finish();
}

void apply(const Turn& turn, AgentRecord& agent, const BlocksChanged& changed, Deletions& deletions) {
  auto& state = turn.state;
  agent.changes = changed.number;
  for (const auto block : changed.removed) {
    state.replicas.remove(agent.info.id, block);
    state.watchers.note(block);
    turn.trace(ReplicaChanged{block, agent.info.id, false});
  }
  bool any_extra = false;
  for (const auto& [block, length] : changed.added) {
    // Asked before the replica is added, which ends the plan.
    const bool awaited = state.replicas.planned_for(block).contains(agent.info.id);
    state.replicas.add(agent.info.id, block, length);
    deletions.judge(agent.info.id, block, length);
    if (!awaited) state.watchers.note(block);
    turn.trace(ReplicaChanged{block, agent.info.id, true});
    any_extra |= !copy_arrived(turn, agent.info.id, block) && !awaited;
  }
  if (any_extra || !changed.removed.empty()) state.lacking.request_scan();
  if (any_extra && state.config.replication.on()) drop_extra_replicas(turn);
}

/// Applies a change that is the next one. Of one that has come before nothing is left to do; after a gap the
/// agent reports from the beginning.
void apply_if_next(const Turn& turn, AgentRecord& agent, const BlocksChanged& changed, Deletions& deletions) {
  if (changed.number <= agent.changes || agent.ask_again) return;
  if (changed.number != agent.changes + 1) return ask_for_report(turn, agent);
  apply(turn, agent, changed, deletions);
}

void finish_report(const Turn& turn, AgentRecord& agent) {
  auto& state = turn.state;
  auto report = std::move(*agent.report);
  agent.report.reset();
  agent.ask_again.reset();
  agent.changes = 0;
  // Twice: watchers of what the agent held, and of what it holds now.
  note_replicas_of(turn, agent.info.id);
  state.replicas.replace(agent.info.id, report.take_blocks());
  note_replicas_of(turn, agent.info.id);
  if (!agent.reported) turn.trace(AgentRegistered{agent.info.id, agent.info.name, agent.info.rack, {}});
  agent.reported = true;
  agent.reported_at = turn.now;
  state.lacking.request_scan();
  Deletions deletions(turn);
  for (const auto& [block, length] : state.replicas.held_by(agent.info.id)) {
    copy_arrived(turn, agent.info.id, block);
    deletions.judge(agent.info.id, block, length);
  }
  // After the pages, which may be older than these changes.
  for (const auto& changed : report.take_changes()) apply_if_next(turn, agent, changed, deletions);
  deletions.send();
}

}  // namespace

void heard(const Turn& turn, AgentRecord& agent) {
  if (agent.silent) {
    note_replicas_of(turn, agent.info.id);
    turn.trace(AgentRegistered{agent.info.id, agent.info.name, agent.info.rack, {}});
  }
  turn.state.agents.heard(agent, turn.now);
}

Error unknown_session() { return {ErrorCode::unknown_session, "no such session here; report again"}; }

void ask_for_report(const Turn& turn, AgentRecord& agent) {
  agent.report.reset();
  agent.ask_again = turn.now + kReportPatience;
  turn.to_agent(agent, SendBlockReport{});
}

void handle(const Turn& turn, const MessageReceived& in, const BlockReport& page) {
  if (auto allowed = may_report(turn.state, in, page); !allowed) return turn.refuse(in, allowed.error());
  auto* agent = reporter(turn, in, page);
  if (!agent) return turn.refuse(in, unknown_session());
  heard(turn, *agent);
  if (page.page == 0) agent->report.emplace();
  if (!agent->report) return;  // a page of a report that was given up
  agent->ask_again = turn.now + kReportPatience;
  switch (agent->report->add(page)) {
    case ReportAssembly::Added::more:
      return;
    case ReportAssembly::Added::gap:
      return ask_for_report(turn, *agent);
    case ReportAssembly::Added::too_many:
      agent->report.reset();
      return turn.refuse(in, {ErrorCode::slow_down, "an agent reports more blocks than it may hold"});
    case ReportAssembly::Added::last:
      return finish_report(turn, *agent);
  }
}

void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const BlocksChanged& changed) {
  if (agent.report) {
    if (!agent.report->keep(changed)) ask_for_report(turn, agent);
    return;
  }
  const auto held = turn.state.replicas.held_by(agent.info.id).size();
  if (held + changed.added.size() > limits::kReplicasPerAgent) {
    return turn.refuse(in, {ErrorCode::slow_down, "an agent reports more blocks than it may hold"});
  }
  Deletions deletions(turn);
  apply_if_next(turn, agent, changed, deletions);
  deletions.send();
}

/// A heartbeat says nothing beyond that its agent lives, which heard() has noted.
void handle(const Turn&, AgentRecord&, const MessageReceived&, const Heartbeat&) {}

void lose_agent(const Turn& turn, PeerId peer) {
  if (const auto* agent = turn.state.agents.find_peer(peer)) {
    close_agent(turn, agent->info.id, "its connection is gone");
  }
}

}  // namespace proffer::catalog
