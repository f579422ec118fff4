// Dispatch only: which handler an event belongs to, what is due, and the pass that follows.
#include "proffer/allocator/allocator.hpp"

#include <type_traits>
#include <utility>

#include "allocator/offers/offer_endings.hpp"
#include "allocator/offers/offer_handlers.hpp"
#include "allocator/offers/offer_pass.hpp"
#include "allocator/offers/report_turns.hpp"
#include "allocator/peers/agent_handlers.hpp"
#include "allocator/peers/agent_health.hpp"
#include "allocator/peers/agent_loss.hpp"
#include "allocator/peers/framework_handlers.hpp"
#include "allocator/peers/framework_removal.hpp"
#include "allocator/peers/liveness.hpp"
#include "allocator/pools/describe.hpp"
#include "allocator/pools/guarantees.hpp"
#include "allocator/pools/job_handlers.hpp"
#include "allocator/pools/leasing.hpp"
#include "allocator/pools/pool_handlers.hpp"
#include "allocator/pools/preemption.hpp"
#include "allocator/state/invariants.hpp"
#include "allocator/tasks/status_handlers.hpp"
#include "allocator/tasks/task_handlers.hpp"
#include "proffer/session/own_time.hpp"

namespace proffer {

using allocator::AgentRecord;
using allocator::AllocatorState;
using allocator::FrameworkRecord;
using allocator::Turn;

namespace {

// Qualified by their arguments: handle() is found among those of the allocator's own namespace.
template <class M>
concept FromAnybody =
    requires(const Turn& turn, const MessageReceived& in, const M& message) { handle(turn, in, message); };
template <class Record, class M>
concept From = requires(const Turn& turn, Record& record, const MessageReceived& in, const M& message) {
  handle(turn, record, in, message);
};

/// Who looks, or operates the cluster, has no session.
template <class M>
inline constexpr bool kOfPeople =
    std::is_same_v<M, Describe> || std::is_same_v<M, ChangePool> || std::is_same_v<M, ReloadPools> ||
    std::is_same_v<M, MoveFramework> || std::is_same_v<M, KillJob> || std::is_same_v<M, MoveJob>;

}  // namespace

struct Allocator::Impl {
  AllocatorState state;
  session::OwnTime own_time;
  Time newest;  // own time of the last step

  void receive(const Turn& turn, const MessageReceived& in);
  template <class Record>
  void in_session(const Turn& turn, Record& record, const MessageReceived& in);
  template <class Record>
  void dispatch(const Turn& turn, Record& record, const MessageReceived& in);
  bool one_due(const Turn& turn);
  void settle();
  std::optional<Time> next_own_deadline() const;
};

// ---- messages ----

template <class Record>
void Allocator::Impl::dispatch(const Turn& turn, Record& record, const MessageReceived& in) {
  std::visit(
      [&](const auto& message) {
        using M = std::decay_t<decltype(message)>;
        if constexpr (From<Record, M>) {
          handle(turn, record, in, message);
        } else if constexpr (!std::is_same_v<M, ErrorMessage> && !std::is_same_v<M, Heartbeat>) {
          // An error is never answered by an error: two peers would keep on at it for ever.
          turn.refuse(in, {ErrorCode::type,
                           "nothing is done about " + std::string(type_name(message)) + " from that side"});
        }
      },
      in.envelope.message);
}

template <class Record>
void Allocator::Impl::in_session(const Turn& turn, Record& record, const MessageReceived& in) {
  if (!record.session || record.session->id != in.envelope.session) {
    return turn.refuse(in, {ErrorCode::unknown_session, "that session is over"});
  }
  allocator::heard(turn, record);
  if (record.session->received.take(in.envelope.seq)) dispatch(turn, record, in);
}

/// Another cluster, or another life of this allocator (RELIABILITY I1, I2).
std::optional<Error> refuse_origin(const AllocatorState& state, const Envelope& envelope) {
  if (!envelope.cluster.value.is_nil() && envelope.cluster != state.cluster_id) {
    return Error{ErrorCode::wrong_cluster, "this allocator belongs to another cluster"};
  }
  if (envelope.epoch == Epoch{} || envelope.epoch == state.epoch) return {};
  return Error{ErrorCode::wrong_cluster, envelope.epoch < state.epoch
                                             ? "this allocator was started again since"
                                             : "a newer allocator has been seen"};
}

void Allocator::Impl::receive(const Turn& turn, const MessageReceived& in) {
  const auto& message = in.envelope.message;
  const bool of_people = std::visit(
      [&]<class M>(const M& one) {
        if constexpr (kOfPeople<M>) handle(turn, in, one);
        return kOfPeople<M>;
      },
      message);
  if (of_people) return;
  if (auto error = refuse_origin(state, in.envelope)) return turn.refuse(in, std::move(*error));
  if (const auto* m = std::get_if<Subscribe>(&message)) return handle(turn, in, *m);
  if (const auto* m = std::get_if<Register>(&message)) return handle(turn, in, *m);
  const auto speaker = state.peers.find(in.peer);
  if (const auto* agent = std::get_if<allocator::AgentIndex>(&speaker)) {
    in_session(turn, state.cluster[*agent], in);
  } else if (const auto* leaf = std::get_if<LeafId>(&speaker)) {
    in_session(turn, state.frameworks[*leaf], in);
  } else if (!std::holds_alternative<ErrorMessage>(message)) {
    turn.refuse(in, {ErrorCode::unknown_session, "no session is known for this connection"});
  }
}

// ---- time ----

/// Each deadline is an event of its own, with a pass of its own.
bool Allocator::Impl::one_due(const Turn& turn) {
  if (allocator::expire_one(turn) || allocator::judge_agent(turn) || allocator::judge_framework(turn) ||
      allocator::give_up_one(turn) || allocator::report_one(turn)) {
    return true;
  }
  if (allocator::end_silence(turn) || allocator::return_private_agents(turn)) return true;
  if (const auto ended = state.filters.take_ended(turn.now)) {
    allocator::end_filter(turn, *ended);
    return true;
  }
  return allocator::relieve_one(turn) || allocator::enforce_one(turn) || allocator::resend_one(turn) ||
         allocator::give_up_job_change(turn) || allocator::look_if_due(turn) || allocator::beat(turn);
}

void Allocator::Impl::settle() {
  state.filters.settle();
  state.silences.settle();
  state.tasks.settle();
  allocator::settle_reports(state);
  allocator::settle_silence(state);
  allocator::settle_give_ups(state);
}

std::optional<Time> Allocator::Impl::next_own_deadline() const {
  auto next = earlier(state.offers.next_expiry(), state.filters.next_end());
  next = earlier(next, state.silences.next_end());
  next = earlier(next, state.private_agents.next_return());
  next = earlier(next, earlier(state.tasks.next_resend(), state.next_beat));
  next = earlier(next, earlier(state.next_pass, state.reports.next()));
  next = earlier(next, allocator::next_preemption(state));
  next = earlier(next, earlier(state.agent_silence.next(), state.framework_silence.next()));
  next = earlier(next, earlier(state.job_changes.next_due(), state.next_look));
  return earlier(next, state.give_ups.next());
}

// ---- the machine ----

Allocator::Allocator(AllocatorConfig config, ClusterId cluster, Epoch epoch, Random random,
                     SecretSource secrets)
    : impl_(new Impl{
          AllocatorState(std::move(config), cluster, epoch, std::move(random), std::move(secrets)), {}, {}}) {
}
Allocator::~Allocator() = default;

void Allocator::step(const Event& event, Actions& actions, Time now) {
  auto& state = impl_->state;
  const auto due = impl_->next_own_deadline();
  const auto slept = impl_->own_time.slept();
  impl_->newest = impl_->own_time.at(now, due, state.config.heartbeat);
  // Peers that heard nothing meanwhile have cut their connections, which shows in what comes next.
  if (impl_->own_time.slept() > slept) {
    state.forgiving_until = impl_->newest + state.config.disconnected_after;
  }
  const Turn turn(state, actions, impl_->newest);
  if (const auto* in = std::get_if<MessageReceived>(&event)) impl_->receive(turn, *in);
  if (const auto* lost = std::get_if<PeerLost>(&event)) allocator::lose_peer(turn, lost->peer);
  if (const auto* read = std::get_if<PoolsRead>(&event)) allocator::take_pools(turn, *read);
  if (const auto* store = std::get_if<StoreRoom>(&event)) allocator::note_room(state, *store);
  do {
    allocator::assign_private_agents(turn);
    allocator::run_pass(turn);
  } while (impl_->one_due(turn));
  impl_->settle();
  allocator::watch_shortages(state, turn.now);
}

std::optional<Time> Allocator::next_deadline() const {
  const auto own = impl_->next_own_deadline();
  if (!own) return {};
  return impl_->own_time.to_world(*own);
}

void Allocator::check_invariants() const { allocator::check(impl_->state, impl_->newest); }

}  // namespace proffer
