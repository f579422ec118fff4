#include "allocator/peers/framework_handlers.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "allocator/offers/offer_endings.hpp"
#include "allocator/offers/offer_handlers.hpp"
#include "allocator/offers/standings.hpp"
#include "allocator/peers/agent_loss.hpp"
#include "allocator/peers/framework_removal.hpp"
#include "allocator/peers/liveness.hpp"
#include "allocator/peers/pace.hpp"
#include "allocator/peers/subscribe_rules.hpp"
#include "allocator/pools/job_handlers.hpp"
#include "allocator/state/records.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {
namespace {

constexpr Duration kLongestFailover{limits::kFailoverUs};

Error fenced(const FrameworkRecord& framework) {
  return {ErrorCode::fenced, "another process speaks for framework '" + framework.name + "' now"};
}

const std::string& pool_of(const State& state, const Subscribe& message) {
  return message.pool.empty() ? state.config.default_pool : message.pool;
}

/// Returns the pool that is meant: that of a framework which an operator has moved since it came.
const std::string& pool_of(const State& state, const FrameworkRecord* known, const Subscribe& message) {
  const auto& asked = pool_of(state, message);
  return known != nullptr && known->place.asked == asked ? known->place.pool : asked;
}

FrameworkRecord& new_framework(const Turn& turn, PeerId peer, const Subscribe& message) {
  auto& state = turn.state;
  if (state.frameworks.size() >= limits::kFrameworks) {
    give_up(turn, *state.frameworks.next_to_forget(), "its place is needed");
  }
  const auto& pool = pool_of(state, message);
  const auto priority = priority_named(message.priority);
  PROFFER_CHECK(priority, "what it wants to subscribe with was checked");
  const auto id = message.claims ? message.framework : FrameworkId{state.identity.random.bits128()};
  auto& framework =
      state.frameworks.add(id, state.shares.add(pool, message.name, message.user, *priority), peer);
  framework.secret = message.claims ? message.secret : state.identity.secrets.secret();
  framework.name = message.name;
  framework.place.pool = pool;
  framework.user = message.user;
  framework.priority = *priority;
  framework.place.asked = pool;
  framework.place.eligibility = state.eligibility.class_of(pool);
  turn.trace(FrameworkAdded{framework.id, message.user, message.priority});
  return framework;
}

void open_session(const Turn& turn, FrameworkRecord& framework, PeerId peer) {
  auto& state = turn.state;
  framework.contact.open(peer, state.identity.random.session(), turn.now);
  framework.failover.give_up_at.reset();
  framework.accepts.clear();  // its accepts are numbered anew
  framework.incumbent.revives = 0;
  state.peers.bind(peer, framework.index);
  watch(turn, framework);
}

void send_subscribed(const Turn& turn, FrameworkRecord& framework) {
  const auto& config = turn.state.config;
  turn.to_framework(framework,
                    Subscribed{framework.id, framework.incumbent.epoch, config.heartbeat,
                               config.catalog_endpoint, framework.secret, turn.state.identity.incarnation});
}

/// Answers the same SUBSCRIBE again, before anything was heard in the session that the first one opened: the
/// answer, and offers that came with it, are on their way or lost.
void repeat_answer(const Turn& turn, FrameworkRecord& framework) {
  send_subscribed(turn, framework);
  std::vector<Offer> again;
  for (const auto n : framework.offers) {
    again.push_back(offer_of(turn.state, *turn.state.offers.find(turn.state.offers.id_of(n))));
  }
  if (!again.empty()) send_offers(turn, framework, std::move(again));
}

/// Parts the connection of the former session from the framework. If another process spoke through it, that
/// one is told that it has been replaced, and stops.
void leave_former_session(const Turn& turn, FrameworkRecord& framework, PeerId peer,
                          const Subscribe& message) {
  if (!framework.contact.session) return;
  const auto former = framework.contact.session->peer();
  turn.state.peers.release(former);
  const auto instance = framework.incumbent.instance;
  const bool other = instance != 0 && message.instance != 0 && instance != message.instance;
  if (!other || former == peer) return;
  turn.to_framework(framework, ErrorMessage{fenced(framework), 0});
  turn.state.peers.oust(former);
}

/// Enters the process that subscribes. Its epoch is above any that was ever given.
void note_incumbent(FrameworkRecord& framework, const Subscribe& message) {
  auto& incumbent = framework.incumbent;
  incumbent.epoch = std::max(incumbent.epoch, message.framework_epoch) + 1;
  if (message.instance != 0) incumbent.instance = message.instance;
}

void admit(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in,
           const Subscribe& message) {
  leave_former_session(turn, framework, in.peer, message);
  // The former session ends before its offers do: they end with it, and do not count as rescinded.
  framework.contact.session.reset();
  void_all_of(turn, framework);
  forget_job_changes(turn, framework);
  framework.failover.timeout = std::min(message.failover_timeout, kLongestFailover);
  note_incumbent(framework, message);
  turn.trace(FrameworkSubscribed{framework.id, framework.name, framework.place.pool});
  // Durable before the framework knows its id: after a restart, an id that is not kept is unknown.
  keep(turn, framework);
  // SUBSCRIBED goes before anything that belongs to its session.
  open_session(turn, framework, in.peer);
  send_subscribed(turn, framework);
  framework.demand = {};
  declare(turn, framework, message.demand);
  // A framework that has failed over does not know what it refused in its former session, so nothing of that
  // counts any more. After the demand: a framework that wants nothing does not become hungry.
  spoke(turn, framework);
  for (const auto kind : turn.state.shares.kinds()) revive(turn, framework, kind);
  send_owed(turn, framework);  // the former session may not have heard them
}

bool same_identity(const State& state, const FrameworkRecord& known, const Subscribe& message) {
  return known.name == message.name && known.user == message.user &&
         known.place.pool == pool_of(state, &known, message);
}

/// Returns whether another process has taken the framework over since this one was given its epoch. One that
/// was given none so far is newer than whoever speaks for the framework.
bool is_fenced(const State& state, PeerId peer, const FrameworkRecord& known, const Subscribe& message) {
  const auto& incumbent = known.incumbent;
  // A first hello of the process that was replaced, come once more.
  if (state.peers.is_ousted(peer) && message.framework_epoch < incumbent.epoch) return true;
  if (message.instance == 0 || incumbent.instance == 0 || message.instance == incumbent.instance)
    return false;
  return message.framework_epoch != 0 && message.framework_epoch < incumbent.epoch;
}

std::optional<Error> refuse_another(State& state, PeerId peer) {
  if (state.frameworks.brought_by(peer) >= limits::kFrameworksPerPeer) {
    return Error{ErrorCode::slow_down, "this connection has brought as many frameworks as it may: " +
                                           std::to_string(limits::kFrameworksPerPeer) +
                                           " that are still known"};
  }
  if (state.frameworks.size() < limits::kFrameworks || state.frameworks.next_to_forget() != nullptr)
    return {};
  return Error{ErrorCode::slow_down, "the cluster has as many frameworks as it may have"};
}

/// Refuses an id that nobody is known under, or only one whose last tasks are ending.
std::optional<Error> refuse_unknown(State& state, PeerId peer, const FrameworkRecord* ending,
                                    const Subscribe& message) {
  if (!message.claims) {
    return Error{ErrorCode::unknown_framework, "no framework of that id is known here"};
  }
  if (message.secret.value.is_nil()) {
    return Error{ErrorCode::invalid, "an id is claimed together with a secret"};
  }
  if (ending != nullptr) return Error{ErrorCode::slow_down, "that framework is about to end; try again"};
  return refuse_another(state, peer);
}

std::optional<Error> refuse_identity(State& state, PeerId peer, const FrameworkRecord* known,
                                     const Subscribe& message) {
  if (message.framework.value.is_nil()) {
    if (message.claims) return Error{ErrorCode::invalid, "an id is claimed that is not said"};
    return refuse_another(state, peer);
  }
  if (known == nullptr || known->failover.removed) return refuse_unknown(state, peer, known, message);
  if (same_identity(state, *known, message)) return {};
  return Error{ErrorCode::invalid, "that framework is '" + known->name + "' of user '" + known->user +
                                       "' in pool '" + known->place.pool + "', and stays so"};
}

/// Returns the framework that has sent this SUBSCRIBE before, through this connection, and nothing since it
/// was answered; null: there is none.
FrameworkRecord* find_repeated(State& state, const MessageReceived& in, const Subscribe& message) {
  const auto speaker = state.peers.find(in.peer);
  const auto* index = std::get_if<FrameworkIndex>(&speaker);
  if (index == nullptr) return nullptr;
  auto& framework = state.frameworks[*index];
  const bool same = (message.framework.value.is_nil() ? framework.incumbent.epoch == 1
                                                      : message.framework == framework.id) &&
                    same_identity(state, framework, message);
  return same && framework.contact.session->may_repeat_hello(in.peer) ? &framework : nullptr;
}

/// Refuses a peer that does not know the framework's secret. A peer that speaks through the connection of its
/// session was given the secret there.
std::optional<Error> refuse_stranger(const FrameworkRecord* known, const Subscribe& message, PeerId peer) {
  if (known == nullptr || known->failover.removed) return {};
  if (known->contact.speaks_through(peer)) return {};
  if (same_secret(known->secret, message.secret)) return {};
  return Error{ErrorCode::refused,
               "that framework's id is known here with another secret: to come back under it, send the "
               "secret of its SUBSCRIBED"};
}

std::optional<Error> refuse(State& state, PeerId peer, const FrameworkRecord* known,
                            const Subscribe& message) {
  if (auto error = refuse_stranger(known, message, peer)) return error;
  if (auto error = refuse_subscribe(message, pool_of(state, known, message), state.shares.tree()))
    return error;
  if (auto error = refuse_identity(state, peer, known, message)) return error;
  if (known != nullptr && is_fenced(state, peer, *known, message)) return fenced(*known);
  return refuse_demand(known == nullptr ? DemandBook{} : known->demand, message.demand);
}

}  // namespace

void handle(const Turn& turn, const MessageReceived& in, const Subscribe& message) {
  auto& state = turn.state;
  if (auto* framework = find_repeated(state, in, message)) return repeat_answer(turn, *framework);
  auto* known = message.framework.value.is_nil() ? nullptr : state.frameworks.find(message.framework);
  if (auto error = refuse(state, in.peer, known, message)) return turn.refuse(in, std::move(*error));
  const bool same_peer = known != nullptr && known->contact.speaks_through(in.peer);
  // The former speaker goes before the new session binds the connection; afterwards this would end the new
  // one.
  if (!same_peer) lose_peer(turn, in.peer);
  admit(turn, known != nullptr ? *known : new_framework(turn, in.peer, message), in, message);
}

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Teardown&) {
  turn.close(in.peer);
  give_up(turn, framework, "teardown");
}

}  // namespace proffer::allocator
