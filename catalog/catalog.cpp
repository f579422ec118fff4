// Dispatch only: the handler that an event belongs to, and the duties that are due after it.
#include "proffer/catalog/catalog.hpp"

#include <array>
#include <utility>

#include "catalog/agents/agent_handlers.hpp"
#include "catalog/agents/liveness.hpp"
#include "catalog/demand/copy_handlers.hpp"
#include "catalog/demand/replication.hpp"
#include "catalog/demand/use_handlers.hpp"
#include "catalog/demand/watching.hpp"
#include "catalog/names/client_handlers.hpp"
#include "catalog/names/name_handlers.hpp"
#include "catalog/names/write_handlers.hpp"
#include "catalog/state/turn.hpp"
#include "proffer/dispatch.hpp"

namespace proffer {
namespace catalog {
namespace {

using Hellos = Types<CatalogHello, BlockReport>;
using FromClients =
    Types<ListFiles, RenameFiles, RemoveFiles, CreateFile, AddBlock, SealBlock, CompleteFile, BlocksUsed>;
using FromAgents = Types<BlocksChanged, Heartbeat, CopyFailed>;

Error no_session() { return {ErrorCode::unknown_session, "no such session here; say CATALOG_HELLO first"}; }

void lose(const Turn& turn, PeerId peer) {
  lose_watcher(turn, peer);
  turn.state.clients.close(peer);
  lose_agent(turn, peer);
  lose_writer(turn, peer);
}

/// Ends the session of a peer whose process ends, as if its connection was lost.
void part(const Turn& turn, const MessageReceived& in) {
  const bool known = turn.state.clients.match(in.peer, in.envelope.session) ||
                     turn.state.agents.match(in.peer, in.envelope.session) != nullptr;
  if (known) lose(turn, in.peer);
}

/// Ends all sessions, since this process is about to end.
void end_all(const Turn& turn) {
  auto& state = turn.state;
  state.over = true;
  const Bye bye{"the catalog is stopped, and means to come back"};
  for (const auto& [peer, session] : state.clients.all()) turn.bye(peer, session.id(), bye);
  for (auto& [id, agent] : state.agents.all()) turn.to_agent(agent, bye);
}

void receive(const Turn& turn, const MessageReceived& in) {
  const auto& message = in.envelope.message;
  if (turn.state.over) return;
  if (std::holds_alternative<Bye>(message)) return part(turn, in);
  if (dispatch(Hellos{}, message, turn, in)) return;
  if (holds_one_of(FromClients{}, message)) {
    if (!turn.state.clients.match(in.peer, in.envelope.session)) return turn.refuse(in, no_session());
    dispatch(FromClients{}, message, turn, in);
  } else if (holds_one_of(FromAgents{}, message)) {
    auto* agent = turn.state.agents.match(in.peer, in.envelope.session);
    if (!agent) return turn.refuse(in, unknown_session());
    // The number is looked at afterwards: a message that has come before is a sign of life as well.
    heard(turn, *agent);
    if (agent->session.take(in.envelope.seq)) dispatch(FromAgents{}, message, turn, *agent, in);
  } else if (!std::holds_alternative<ErrorMessage>(message)) {
    // An error is never answered by an error: two peers would go on answering each other for ever.
    turn.refuse(in, {ErrorCode::type, "a catalog takes no " + std::string(type_name(message))});
  }
}

/// A thing that the catalog does by itself, when its time has come.
struct Duty {
  std::optional<Time> (*due)(const State& state);  ///< none: there is no reason to
  void (*perform)(const Turn& turn);               ///< does what is due, and sets the next time
};

/// The duties in the order in which a step performs them. Agents fall silent before copies and replicas are
/// looked at: in the other order a copy would be sent to an agent that is known to be lost an instant later.
constexpr std::array kDuties{
    Duty{[](const State& state) { return state.writers.next_due(); }, remove_abandoned},
    Duty{[](const State& state) { return state.timers.heartbeat; }, keep_heartbeats},
    Duty{[](const State& state) { return state.copies.next_deadline(); }, give_up_late_copies},
    Duty{[](const State& state) { return state.timers.scan; }, restore_replicas},
    Duty{[](const State& state) { return state.timers.round; }, replicate_in_demand},
};

}  // namespace
}  // namespace catalog

struct Catalog::Impl {
  catalog::State state;
};

Catalog::Catalog(CatalogConfig config, ClusterId cluster, Epoch epoch, std::vector<FileInfo> files,
                 BlockId next_block, Random random, SecretSource secrets)
    : impl_(new Impl{{std::move(config), cluster, epoch, std::move(files), next_block, std::move(random),
                      std::move(secrets)}}) {}

Catalog::~Catalog() = default;

void Catalog::step(const Event& event, Actions& actions, Time now) {
  const catalog::Turn turn(impl_->state, actions, now);
  turn.state.settling.begin(now);
  catalog::notice_pause(turn);
  if (const auto* in = std::get_if<MessageReceived>(&event)) catalog::receive(turn, *in);
  if (const auto* store = std::get_if<StoreRoom>(&event)) turn.state.disk = *store;
  if (const auto* lost = std::get_if<PeerLost>(&event)) catalog::lose(turn, lost->peer);
  if (std::holds_alternative<Stopping>(event)) catalog::end_all(turn);
  for (const auto& duty : catalog::kDuties) duty.perform(turn);
  // Last, so that one message tells of all that this step has done to a block.
  catalog::send_replica_changes(turn);
}

std::optional<Time> Catalog::next_deadline() const {
  std::optional<Time> next;
  for (const auto& duty : catalog::kDuties) next = earlier(next, duty.due(impl_->state));
  return next;
}

void Catalog::check_invariants() const { catalog::check_invariants(impl_->state); }

}  // namespace proffer
