#include "allocator/receive.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "allocator/offers/offer_handlers.hpp"
#include "allocator/offers/slot_reports.hpp"
#include "allocator/peers/agent_handlers.hpp"
#include "allocator/peers/agent_health.hpp"
#include "allocator/peers/agent_wishes.hpp"
#include "allocator/peers/beats.hpp"
#include "allocator/peers/framework_handlers.hpp"
#include "allocator/peers/goodbyes.hpp"
#include "allocator/peers/liveness.hpp"
#include "allocator/pools/describe.hpp"
#include "allocator/pools/job_handlers.hpp"
#include "allocator/pools/pool_handlers.hpp"
#include "allocator/tasks/reconcile_handler.hpp"
#include "allocator/tasks/status_handlers.hpp"
#include "allocator/tasks/task_handlers.hpp"
#include "proffer/dispatch.hpp"

namespace proffer::allocator {
namespace {

/// Messages of people who look at the cluster, or operate it: outside of sessions.
using OfPeople = Types<Describe, ChangePool, ReloadPools, MoveFramework, KillJob, MoveJob, ChangeAgent,
                       SubmitJob, DescribeJobs>;
/// Messages that open a session.
using Hellos = Types<Subscribe, Register>;
using OfAgents = Types<Heartbeat, AgentHealth, SlotReport, LaunchAck, Status, TaskMessage, Bye>;
using OfFrameworks = Types<Heartbeat, Teardown, Accept, Decline, Suppress, Revive, Acknowledge, Kill,
                           TaskMessage, MoreInputs, Release, AdminDone, DetachedJobs, Reconcile, Bye>;

/// Messages that say nothing beyond that their sender lives.
bool is_mere_sign(const Message& message) { return std::holds_alternative<ErrorMessage>(message); }

template <class Handled, class Record>
void in_session(const Turn& turn, Record& record, const MessageReceived& in) {
  auto& session = record.contact.session;
  if (!session || !session->matches(in.peer, in.envelope.session)) {
    return turn.refuse(in, {ErrorCode::unknown_session, "that session is over"});
  }
  // The number is looked at afterwards: a message that has come before is a sign of life as well.
  heard(turn, record);
  if (!session->take(in.envelope.seq)) return;
  const auto& message = in.envelope.message;
  if (dispatch(Handled{}, message, turn, record, in) || is_mere_sign(message)) return;
  // An error is never answered by an error, or two peers would go on so for ever.
  turn.refuse(
      in, {ErrorCode::type, "nothing is done about " + std::string(type_name(message)) + " from that side"});
}

/// Refuses a message to another cluster, or to another life of this allocator.
std::optional<Error> refuse_origin(const session::ServerIdentity& server, const Envelope& envelope) {
  using Origin = session::ServerIdentity::Origin;
  const auto origin = server.judge(envelope);
  if (origin == Origin::here) return {};
  return Error{ErrorCode::wrong_cluster,
               origin == Origin::other_cluster   ? "this allocator belongs to another cluster"
               : origin == Origin::earlier_epoch ? "this allocator was started again since"
                                                 : "a newer allocator has been seen"};
}

/// Returns whether an agent speaks that this allocator knows: one that is in session, or shows its secret.
bool is_known_agent(State& state, const MessageReceived& in) {
  if (std::holds_alternative<AgentIndex>(state.peers.find(in.peer))) return true;
  const auto* hello = std::get_if<Register>(&in.envelope.message);
  const auto* agent = hello == nullptr ? nullptr : state.cluster.find(hello->agent);
  return agent != nullptr && same_secret(agent->past.secret, hello->secret);
}

/// Remembers a later start of this allocator of which an agent tells. Nobody else is believed: this allocator
/// ends for it.
void note_successor(State& state, const MessageReceived& in) {
  auto& identity = state.identity;
  const auto& envelope = in.envelope;
  if (envelope.cluster != identity.server.cluster || envelope.epoch <= identity.server.epoch) return;
  if (!is_known_agent(state, in)) return;
  identity.superseded = std::max(identity.superseded.value_or(Epoch{}), envelope.epoch);
}

}  // namespace

void handle(const Turn& turn, const MessageReceived& in) {
  auto& state = turn.state;
  const auto& message = in.envelope.message;
  // People come first: they need not know which cluster they look at.
  if (dispatch(OfPeople{}, message, turn, in)) return;
  if (state.agenda.over) return;  // all sessions are over; who has been told asks again later
  if (auto error = refuse_origin(state.identity.server, in.envelope)) {
    note_successor(state, in);
    return turn.refuse(in, std::move(*error));
  }
  if (dispatch(Hellos{}, message, turn, in)) return;
  const auto speaker = state.peers.find(in.peer);
  if (const auto* agent = std::get_if<AgentIndex>(&speaker)) {
    in_session<OfAgents>(turn, state.cluster[*agent], in);
  } else if (const auto* framework = std::get_if<FrameworkIndex>(&speaker)) {
    in_session<OfFrameworks>(turn, state.frameworks[*framework], in);
  } else if (state.peers.is_ousted(in.peer)) {
    if (std::holds_alternative<ErrorMessage>(message)) return;
    turn.refuse(in, {ErrorCode::fenced, "another process speaks for this framework now"});
  } else if (!std::holds_alternative<ErrorMessage>(message)) {
    turn.refuse(in, {ErrorCode::unknown_session, "no session is known for this connection"});
  }
}

}  // namespace proffer::allocator
