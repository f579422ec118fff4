#include "catalog/agents/report_rules.hpp"

#include "proffer/limits.hpp"

namespace proffer::catalog {
namespace {

using Origin = session::ServerIdentity::Origin;

Error invalid(const char* what) { return {ErrorCode::invalid, what}; }

/// Returns whether the page comes from a peer that does not know the secret of its agent. A peer that speaks
/// through the connection of its session has shown the secret, or was given it there.
bool is_stranger(const State& state, PeerId peer, const BlockReport& page) {
  const auto* agent = state.agents.find(page.agent);
  if (agent != nullptr && agent->session.peer() == peer) return false;
  const auto known = state.agent_secrets.find(page.agent);
  return known && !same_secret(*known, page.secret);
}

}  // namespace

bool opens_session(const Envelope& envelope, const BlockReport& page) {
  return envelope.session.value == 0 && page.page == 0;
}

Result<> may_report(const State& state, const MessageReceived& in, const BlockReport& page) {
  const auto& envelope = in.envelope;
  const auto origin = state.server.judge(envelope);
  if (origin == Origin::other_cluster) {
    return Error{ErrorCode::wrong_cluster, "this catalog belongs to another cluster"};
  }
  if (origin == Origin::later_epoch) {
    return Error{ErrorCode::wrong_cluster, "a newer start of this catalog is known to you"};
  }
  if (page.agent.value.is_nil()) return invalid("a block report needs the agent's id");
  if (!valid_name(page.name) || !valid_name(page.rack)) {
    return invalid("a block report needs a valid agent's name and rack");
  }
  if (page.data_endpoint.empty() || page.data_endpoint.size() > limits::kEndpointBytes) {
    return invalid("a block report needs a data endpoint of at most 256 bytes");
  }
  if (opens_session(envelope, page) && is_stranger(state, in.peer, page)) {
    return Error{ErrorCode::refused,
                 "the id of agent '" + page.name +
                     "' is known to this catalog with another secret; if its secret is lost, remove "
                     "the file 'agent' from its work_dir and start it again, as a new agent"};
  }
  if (!state.agents.find(page.agent) && state.agents.all().size() >= limits::kAgents) {
    return Error{ErrorCode::slow_down, "the catalog has no room for more agents"};
  }
  return {};
}

}  // namespace proffer::catalog
